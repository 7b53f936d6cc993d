import type { GitHosts } from './git-host.ts';

type Kinds = readonly (readonly [RegExp, string])[];

const OUR_KINDS: Kinds = [
  [/^cvr_/, 'a repo token of this service'],
  [/^cvp_/, 'a personal token of this service'],
  [/^cvs_/, 'the token of a share link, which opens a page in a browser'],
  [/^cvb_/, 'a badge token of this service, which only reads a badge'],
];

const OTHER_KINDS: Kinds = [
  [/^eyJ[\w-]*\./, 'a JSON web token'],
  [/^\$\{\{|^\$[A-Z{]|^%[A-Z]/, 'the name of a variable that was not replaced'],
  [/^[\w-]{20,100}$/, 'a token of another kind'],
];

/** What a token looks like, for an answer that must not repeat it (wire.md, "Failures"). */
export function describeToken(token: string, hosts: GitHosts): string {
  if (token === '') return 'an empty text';
  const ofHost = hosts.all.map(({ tokens }) => tokens.describe(token)).find((words) => words !== undefined);
  const among = (kinds: Kinds): string | undefined => kinds.find(([pattern]) => pattern.test(token))?.[1];
  return among(OUR_KINDS) ?? ofHost ?? among(OTHER_KINDS) ?? 'a text that is no token of this service';
}
