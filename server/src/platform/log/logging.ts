import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, pino } from 'pino';
import { showHidden } from '../../core/printable.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { Logger } from '../logger.ts';

/** From the most to the least verbose. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `json`: a line is an object; `pretty`: for people at a terminal. */
export const LOG_FORMATS = ['json', 'pretty'] as const;

/** The id of the request that lines are written for, even if nobody passes it. */
export interface RequestScope {
  run<T>(requestId: string, work: () => T): T;
  current(): string | undefined;
}

export function createRequestScope(): RequestScope {
  const ids = new AsyncLocalStorage<string>();
  return { run: (id, work) => ids.run(id, work), current: () => ids.getStore() };
}

/**
 * Structured lines of JSON on stdout, or wherever `destination` writes. That secrets are hidden is the last line of
 * defense: no caller passes one, but a driver's error message may.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  /** Its request is added to every line that names none. */
  readonly scope?: Pick<RequestScope, 'current'>;
  readonly secretTexts: Pick<SecretTexts, 'hide'>;
  readonly destination?: DestinationStream | undefined;
}): Logger {
  const { level, scope, secretTexts, destination } = options;
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: toField, cause: toField, err: toField },
    mixin: () => ({ request: scope?.current() }),
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
