/** Reasons of hosts end with a full stop, or not. */
export function asSentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}

export const NO_DATABASE = 'Not checked, because the database cannot be used.';

export const KEY_GONE = 'The key file beside the database is missing, and SECRET_KEY is not set.';

export const START_OR_LOG = 'Start the server; if it runs, see its log for what stops it.';
