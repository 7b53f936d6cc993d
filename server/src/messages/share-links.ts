// Links that show one repo to whoever has them.
export function tooMany(most: number): string {
  return `The repo has ${most} share links; revoke one that nobody needs.`;
}

export const REPO_GONE = 'The repo was removed meanwhile.';

export function unknown(id: number): string {
  return `The repo has no share link ${id}.`;
}

export const ENDED = 'This share link has ended: ask whoever gave it to you for another one.';

export function nameForm(most: number): string {
  return `a text of 1 to ${most} characters that says what the link is for`;
}

export function daysForm(most: number): string {
  return `a whole number from 1 to ${most}`;
}

export const SWITCH_FORM = 'true or false';
