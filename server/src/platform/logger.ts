/** Structured logging. Fields never hold a secret; texts from uploads are data, never part of the sentence. */
export interface Logger {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}
