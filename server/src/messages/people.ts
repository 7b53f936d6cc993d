// Who signs in, by which way, and what their accounts, passwords and personal tokens may be.
import type { Counts, Texts } from './values.ts';

export const NO_PASSWORDS_HERE = 'Nobody signs in here with a password.';
export const NO_SUCH_WAY = 'Nobody signs in here this way.';
export const NAME_OR_PASSWORD_WRONG = 'The name or the password is not right.';
export const TOO_MANY_SIGN_IN = 'Too many are signing in at this moment; try again in some seconds.';
export const LINK_OVER = 'This sign-in link was used, or is too old. Make another one.';
export const NOT_BEGUN_HERE = 'This sign-in was not begun in this browser, or took too long. Begin again.';
export const DISABLED = 'Your account is disabled here. An administrator of this server can enable it.';

export function tooManyAttempts(minutes: number): string {
  return `Too many attempts to sign in. Try again in ${minutes} min.`;
}

export function notSignedIn(provider: string): string {
  return `${provider} did not sign you in. Try again.`;
}

export function signInRefused(provider: string): string {
  return `${provider} did not take this sign-in. Begin again; if it happens again, its settings here are wrong.`;
}

export function providerSilent(provider: string): string {
  return `${provider} does not answer. Try again in a minute.`;
}

export const HOST_SILENT = 'It did not answer.';

export function hostNotAsked(host: string): string {
  return `${host} could not be asked what you may see; try again when it answers.`;
}

export function signInEnded(host: string): string {
  return `${host} has ended your sign-in. Sign out here, and sign in with ${host} again.`;
}

export const FOREIGN_PAGE = 'This was sent by a page of another site. Nothing was changed; use the page here.';

export function nothingHereFor(name: string): string {
  return (
    `There is nothing here for ${name}: either there is no such page, or you may not see it. If a colleague sees it, ` +
    'ask a maintainer of the repo to let you in.'
  );
}

export function tokenNameWrong(most: number): string {
  return `A token’s name has 1 to ${most} characters.`;
}

export function tooManyTokens(most: number): string {
  return `You have ${most} tokens; revoke one that you do not need.`;
}

export function noToken(id: number): string {
  return `You have no token ${id}.`;
}

export const LIFETIME_WRONG = 'A token expires in 30, 90 or 365 days, or never.';
export const TOKEN_REVOKED = 'The token was revoked.';

export const NO_PASSWORD_OF_YOURS = 'You sign in elsewhere, and have no password here.';
export const CURRENT_PASSWORD_WRONG = 'The current password is not right.';
export const PASSWORDS_DIFFER = 'The new password was typed in two ways.';
export const PASSWORD_CHANGED = 'Your password was changed. You were signed out everywhere else.';

export function noPasswordOf(name: string): string {
  return `${name} signs in elsewhere, and has no password here.`;
}

export function passwordWrong({ least, most, found }: Counts<'least' | 'most' | 'found'>): string {
  return `A password has ${least} to ${most} characters; this one has ${found}. Several words are a good one.`;
}

export function noAccount(found: string): string {
  return `There is no account ${found}; give a number or a user name.`;
}

export function userNameWrong(form: string, found: string): string {
  return `A user name is ${form}, and no number, not ${found}.`;
}

export function nameTaken(name: string): string {
  return `There is an account ${name} already; set-password gives it another password.`;
}

/** Of a member, or of a share link. */
export function fieldWrong({ field, form, found }: Texts<'field' | 'form' | 'found'>): string {
  return `${field} must be ${form}, not ${found}.`;
}
