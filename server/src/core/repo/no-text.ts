/** Why a git host gave no text of a file. */
export type FetchRefusal = 'no-host' | 'not-found' | 'too-large' | 'not-text' | 'refused' | 'unavailable' | 'busy';

/**
 * Why a file's text is not shown. `token`: a repo token reads numbers (rule 30); `host-private`: the host shows it to
 * its own members; `no-commit`: nobody stated which commit was measured.
 */
export type NoText = 'token' | 'host-private' | 'no-commit' | FetchRefusal;
