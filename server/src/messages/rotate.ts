// What the command `rotate` says.
import { counted } from './counted.ts';

export const ROTATE_USAGE = `\
Makes new repo tokens, and prints a line "<repo> <token>" for each. Servers may run meanwhile.

  npm run rotate -- --repo <service>/<owner>/<name>   of one repo
  npm run rotate -- --lost                            of each repo whose token no key that is set opens
  npm run rotate -- --all                             of all repos

The old tokens end at once: CI that uploads with one is refused until it has the new one. Uploads by id-token or by a
token of the git host go on. With --lost and a missing key file a new one is made; then start the server again. You are
asked before anything is changed; --yes says yes.`;

export const ROTATE_WHICH = 'Say for which repos: one of --repo <service>/<owner>/<name>, --lost and --all.';

export const ROTATE_NO_KEY =
  'The key file beside the database is missing, and SECRET_KEY is not set, so a new token cannot be stored. Bring ' +
  'the key back, or give it up for all repos: npm run rotate -- --lost.';

export function rotateBreaks(repos: number): string {
  return (
    `New tokens for ${counted(repos, 'repo')}. What that breaks: CI that uploads with an old one is refused until it ` +
    'has the new one. If the key changed, addresses of private badges change too.'
  );
}

export const APPS_LOST =
  'The App that was made at /setup opens under no key either: nothing is announced by it until it is made again there.';

export const ASK_ROTATE = 'Are the old tokens to end now?';

export const NOTHING_LOST = 'The key opens every stored repo token: nothing was changed.';

export const ROTATED = 'Give each repo its new token in the secrets of its CI.';

export function rotatedByNewKey(file: string): string {
  return `Made ${file}: back it up, and start the server again. ${ROTATED}`;
}
