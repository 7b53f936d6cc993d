import * as say from '../../messages/access.ts';
import type { GitHosts } from './git-host.ts';

type Kinds = readonly (readonly [RegExp, string])[];

const REPO_TOKEN = /^cvr_/;

const OUR_KINDS: Kinds = [
  [REPO_TOKEN, say.REPO_TOKEN],
  [/^cvp_/, say.PERSONAL_TOKEN],
  [/^cvs_/, say.SHARE_TOKEN_OPENS],
  [/^cvb_/, say.BADGE_TOKEN_READS],
];

const OTHER_KINDS: Kinds = [
  [/^eyJ[\w-]*\./, say.WEB_TOKEN],
  [/^\$\{\{|^\$[A-Z{]|^%[A-Z]/, say.UNREPLACED_VARIABLE],
  [/^[\w-]{20,100}$/, say.OTHER_TOKEN],
];

/** What a token looks like, for an answer that must not repeat it (wire.md, "Failures"). */
export function describeToken(token: string, hosts: GitHosts): string {
  if (token === '') return say.EMPTY_TEXT;
  const ofHost = hosts.all.map(({ tokens }) => tokens.describe(token)).find((words) => words !== undefined);
  const among = (kinds: Kinds): string | undefined => kinds.find(([pattern]) => pattern.test(token))?.[1];
  return among(OUR_KINDS) ?? ofHost ?? among(OTHER_KINDS) ?? say.NO_TOKEN;
}

/** What is to be said of a token by which no repo was found, as the end of a sentence. */
export function describeUnknownToken(token: string, hosts: GitHosts): string {
  if (!REPO_TOKEN.test(token)) return describeToken(token, hosts);
  return say.UNKNOWN_REPO_TOKEN;
}
