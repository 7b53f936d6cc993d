import { PERSONAL_TOKEN, REPO_TOKEN as REPO_TOKEN_TEXT, WEB_TOKEN } from '../sentences.ts';
import type { GitHosts } from './git-host.ts';

type Kinds = readonly (readonly [RegExp, string])[];

const REPO_TOKEN = /^cvr_/;

const OUR_KINDS: Kinds = [
  [REPO_TOKEN, REPO_TOKEN_TEXT],
  [/^cvp_/, PERSONAL_TOKEN],
  [/^cvs_/, 'the token of a share link, which opens a page in a browser'],
  [/^cvb_/, 'a badge token of this service, which only reads a badge'],
];

const OTHER_KINDS: Kinds = [
  [/^eyJ[\w-]*\./, WEB_TOKEN],
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

/** What is to be said of a token by which no repo was found, as the end of a sentence. */
export function describeUnknownToken(token: string, hosts: GitHosts): string {
  if (!REPO_TOKEN.test(token)) return describeToken(token, hosts);
  return (
    'a repo token of this service that no repo has (any more): ' +
    'it was replaced, its repo was removed, or it was not copied whole'
  );
}
