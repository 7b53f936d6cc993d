// Id-tokens: what CI jobs ask their git host for, to say in whose run an upload is made.
import type { Texts } from './values.ts';

export const ID_TOKEN = 'an id-token';

export const NEW_ID_TOKEN = "Have the job ask for a new one for this server, or use the repo's own token.";

export function issuerUnknown(issuer: string): string {
  return `It names the issuer ${issuer}.`;
}

/** `issuers`: empty: none. */
export function issuersTaken(issuers: readonly string[]): string {
  if (issuers.length === 0) return "This server takes no id-tokens: use the repo's own token.";
  return `This server takes those of ${issuers.join(' and ')} alone. Use one of these, or the repo's own token.`;
}

export function otherAudience(seen: string, expected: string): string {
  return `It is for the audience ${seen}, and this server is ${expected}.`;
}

export function askForAudience(expected: string): string {
  return (
    `Have the job ask for the audience ${expected} (the action does, where its server-url is BASE_URL), or use the ` +
    "repo's own token."
  );
}

export function expired({ at, now }: Texts<'at' | 'now'>): string {
  return `It expired at ${at}, and it is ${now} now.`;
}

export function notYetValid({ claim, at, now }: Texts<'claim' | 'at' | 'now'>): string {
  return `It is valid from ${at} on (${claim}), and it is ${now} now.`;
}

export function otherAlgorithm(seen: string, expected: string): string {
  return `It is signed by ${seen}, and only ${expected} is taken.`;
}

export function keyUnknown(key: string, issuer: string): string {
  return `It is signed with the key ${key}, which is none of ${issuer}.`;
}

export const SIGNATURE_WRONG = 'Its signature is wrong.';

export function claimWrong(claim: string): string {
  return `Its claim ${claim} is missing or wrong.`;
}

export const NOT_WHOLE = 'It is not whole.';

export function issuerUnreachable(issuer: string, why: string): string {
  return `The keys of ${issuer} could not be asked for: ${why}.`;
}

export const ISSUER_TOO_SLOW = 'no answer in time';

export function issuerAnswered(status: number): string {
  return `it answered ${status}`;
}

export function answerTooLarge(most: number): string {
  return `its answer has more than ${most} bytes`;
}

export const ANSWER_NOT_UNDERSTOOD = 'its answer is not that of an issuer';

export function otherIssuerDescribed(seen: string): string {
  return `it describes itself as ${seen}`;
}

export function keysWithoutTls(address: string): string {
  return `it names keys at ${address}, and only https is asked`;
}

export function uncheckedIdToken(kind: string, why: string): string {
  return `repo_token is ${kind}, which could not be checked. ${why} Nothing was stored; send it again.`;
}

export function differs({ field, sent, claimed }: Texts<'field' | 'sent' | 'claimed'>): string {
  return (
    `${field} is ${sent}, but the id-token in repo_token is of ${claimed}. Nothing was stored. Send what the run is ` +
    "of, or use the repo's own token."
  );
}

export const USED_OTHERWISE = 'It was sent before with another content.';

export const ONE_EACH = 'An id-token carries one upload or one close: ask for a new one for each.';

export function nobodyToAsk(host: string, run: string): string {
  return `Its run ${run} is about a pull request, and this server cannot ask ${host} what that run merges.`;
}

export function setCredential(settings: string): string {
  return `Have the operator set ${settings}, or use the repo's own token.`;
}

export function runNotShown(host: string, run: string): string {
  return `${host} shows this server no run ${run} in the repo.`;
}

export function giveServerAccess(host: string): string {
  return `Have the operator give it access at ${host} (reading of Actions too), or use the repo's own token.`;
}

export function notSecondParent({ merge, head, parent }: Texts<'merge' | 'head' | 'parent'>): string {
  return `Its run tests ${merge}, which merges ${parent}, but the job is for ${head}.`;
}

export const SEND_HEAD = "Send the head of the run's pull request as commit_sha, or use the repo's own token.";

export const NO_COMMIT = 'no commit';

/** `why`: what the host answered, with what its operator or the repo's owner can do. */
export function keptUnverified({ host, run, why }: Texts<'host' | 'run' | 'why'>): string {
  return (
    `The upload is stored, and unverified until ${host} lets this server see the run ${run}; then it is judged. ` +
    `${why}${why.endsWith('.') ? '' : '.'}`
  );
}

export function hostRefusesServer(host: string, status: number | undefined): string {
  return `${host} refused (${status ?? 'without a status'}) to tell this server about its run.`;
}
