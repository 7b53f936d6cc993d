import type { Logger } from '../../server/src/platform/logger.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly sentence: string;
}

/** A logger that remembers. */
export interface Logbook extends Logger {
  readonly lines: readonly LogLine[];
  /** Everything that was logged, errors with their causes, as one text. */
  text(): string;
}

export function createLogbook(): Logbook {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: object, sentence: string) =>
    void lines.push({ level, fields, sentence });
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    text: () => JSON.stringify(lines, (_, value) => (value instanceof Error ? errorFields(value) : value)),
  };
}

function errorFields(error: Error): object {
  return { ...error, message: error.message, stack: error.stack, cause: error.cause };
}
