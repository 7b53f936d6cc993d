/** Ends a sentence. */
export const NO_CERTIFICATE = 'it holds no certificate';

export function caFileUnusable(path: string, why: string): string {
  return `Input ca-file: expected a file of certificates (PEM), got ${path}: ${why}.`;
}
