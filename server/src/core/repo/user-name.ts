import * as say from '../../messages/access.ts';

const FORM = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;

/** What a user name looks like, for error sentences. */
export const USER_NAME_FORM = say.USER_NAME_FORM;

/** A user name as stored, in lower case: to git hosts Alice and alice are the same. Undefined: it cannot be one. */
export function readUserName(text: string): string | undefined {
  const name = text.toLowerCase();
  return FORM.test(name) ? name : undefined;
}
