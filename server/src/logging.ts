import { type DestinationStream, pino } from 'pino';
import { showHidden } from './domain/printable.ts';
import type { SecretTexts } from './domain/secret-texts.ts';
import type { Logger } from './ports/logger.ts';

/** From the most to the least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Structured lines of JSON on stdout, or wherever `destination` writes. That secrets are hidden is the last line of
 * defence: no caller passes one, but a driver's error message may.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly secretTexts: Pick<SecretTexts, 'hide'>;
  readonly destination?: DestinationStream;
}): Logger {
  const { level, secretTexts, destination } = options;
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: toField, cause: toField, err: toField },
    hooks: { streamWrite: (line: string) => showHidden(secretTexts.hide(line)) },
  };
  const lines = destination === undefined ? pino(settings) : pino(settings, destination);
  return {
    debug: (fields, sentence) => lines.debug(fields, sentence),
    info: (fields, sentence) => lines.info(fields, sentence),
    warn: (fields, sentence) => lines.warn(fields, sentence),
    error: (fields, sentence) => lines.error(fields, sentence),
  };
}

/** Called by the logger with the value alone. */
const toField = (value: unknown): unknown => describeError(value);

/** An error in a line. Never its other properties: those of HTTP clients hold requests with their headers. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? String(error) : error;
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(depth === 0 ? { stack: error.stack } : {}),
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}
