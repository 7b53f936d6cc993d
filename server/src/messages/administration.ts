// What administrators see and do of the whole server and its accounts.
export const ADMINISTRATORS_SEE = 'Only administrators see what concerns the whole server.';

export function buildGone(id: number): string {
  return `There is no build ${id} any more.`;
}

export const NOTHING_DONE = 'Nothing was done: the form does not say what to do.';

export const NO_SUCH_CHANGE = 'There is no such change of an account.';
export const OWN_ACCOUNT = 'Another administrator has to change your own account, so that one is left.';
export const ACCOUNTS_FORBIDDEN = 'Only administrators of this server may see and change accounts.';
