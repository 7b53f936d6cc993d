/** A text as it is kept forever, by repo and commit: also that there is none. */
export type StoredText = { readonly path: string; readonly text: string } | { readonly none: true };

/** What is kept of a file that somebody else read; null: there is none. */
export function keptText(file: { readonly path: string; readonly text: string | Uint8Array } | null): StoredText {
  return file === null ? { none: true } : { path: file.path, text: Buffer.from(file.text).toString('base64') };
}

/** Under which the git host's word is kept. */
export function fileKey(commit: string): string {
  return `rules/${commit}`;
}

/** Under which an upload's word is kept: it never replaces the git host's. */
export function sentFileKey(commit: string): string {
  return `sent-rules/${commit}`;
}

export function ownersKey(commit: string): string {
  return `owners/${commit}`;
}
