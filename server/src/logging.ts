import { type DestinationStream, pino } from 'pino';
import { showHidden } from './domain/printable.ts';
import type { Logger } from './ports/logger.ts';

/** From the most to the least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The service's own tokens, and passwords inside URLs. The last line of defence: no caller passes a secret, but a
 * driver's error message may.
 */
const SECRETS: readonly (readonly [form: RegExp, shown: string])[] = [
  [/\bcv[pr]_[\w-]{4,}/g, '[secret]'],
  [/:\/\/[^\s/@"\\]+@/g, '://[secret]@'],
  [/\b(repo_token|access_token|t)=[^&\s"\\]+/g, '$1=[secret]'],
];

/** Structured lines of JSON on stdout, or wherever `destination` writes. */
export function createLogger(options: {
  readonly level: LogLevel;
  /** Of tokens that others made, which are hidden too; each with the flag `g`. */
  readonly tokenForms: readonly RegExp[];
  readonly destination?: DestinationStream;
}): Logger {
  const { level, tokenForms, destination } = options;
  const hidden = [...SECRETS, ...tokenForms.map((form) => [form, '[secret]'] as const)];
  const hide = (line: string): string => hidden.reduce((text, [form, shown]) => text.replaceAll(form, shown), line);
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: toField, cause: toField, err: toField },
    hooks: { streamWrite: (line: string) => showHidden(hide(line)) },
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
