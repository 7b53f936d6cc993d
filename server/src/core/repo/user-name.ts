const FORM = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;

/** What a user name looks like, for error sentences. */
export const USER_NAME_FORM = '1 to 100 letters, digits or the characters . _ @ + - (a letter or digit first)';

/** A user name as stored, in lower case: to git hosts Alice and alice are the same. Undefined: it cannot be one. */
export function readUserName(text: string): string | undefined {
  const name = text.toLowerCase();
  return FORM.test(name) ? name : undefined;
}
