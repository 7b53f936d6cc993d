import type { Counts, Texts } from './values.ts';
// What is said of the server's answers.

export function serverWarns(warning: string): string {
  return `The server warns: ${warning}`;
}

export function answeredWithError(url: string, { status, text }: Texts<'text'> & Counts<'status'>): string {
  return `${url} answered ${status} with an error: ${text}`;
}

export function redirected(url: string, { status, to }: Texts<'to'> & Counts<'status'>): string {
  return (
    `${url} answered with a redirect (${status}) to ${to || 'nowhere'}. An upload is never redirected: give the ` +
    'final address as "coveralls-endpoint" or "server-url".'
  );
}

/** `said`: the sentence of the answer without its full stop; empty without one. */
export function refused(url: string, { status, said, advice }: Texts<'said' | 'advice'> & Counts<'status'>): string {
  const outcome = status >= 500 ? 'could not take' : 'refused';
  const words = said === '' ? '' : `: ${said}`;
  const next = advice === '' ? '' : ` Next: ${advice}`;
  return `The coverage server ${outcome} the request (${status} from ${url})${words}.${next}`;
}

export const ADVICE = {
  token:
    'check "repo-token" (the repo\'s token from the server, not a personal one), and that the repo was created there.',
  nothingToClose:
    'let this step run after a job of this run has uploaded its coverage ("needs" in the workflow), and with the ' +
    'same "build-number" as the uploads, if they have one. Without this step the server closes the build by itself ' +
    'after its quiet period (30 minutes unless it is set otherwise).',
  address: 'check the address in "coveralls-endpoint" or "server-url": there is no coverage API.',
  size: 'split the upload into parallel jobs with flags, or raise MAX_UPLOAD_BYTES on the server.',
  limit: 'run it again later, or raise "timeout" so that this step waits longer.',
  fault: 'look at the server\'s log, then run this job again; "timeout" says how long the step keeps trying.',
} as const;

export function notJson(
  url: string,
  answer: { readonly status: number; readonly isHtml: boolean; readonly contentType: string; readonly text: string },
): string {
  const { status, isHtml, contentType, text } = answer;
  const kind = isHtml ? 'an HTML page' : contentType || 'content of no stated type';
  const begins = text === '' ? '' : ` It begins: ${JSON.stringify(text.slice(0, 120))}.`;
  return (
    `${url} answered ${status} with ${kind}, where JSON was expected.${begins} Either a proxy or sign-in page in ` +
    'front of the server answered, or the address is not a coverage server: check "coveralls-endpoint" or ' +
    '"server-url".'
  );
}

export function forkWithoutSecret(reason: string): string {
  return (
    'Coverage was not taken, and the step does not fail for it: the run of a pull request from a fork, and one that ' +
    "Dependabot started, gets no secret. The server takes such runs where the repo's setting accept_forks is on. " +
    `Dependabot's pushes need the repo token among Dependabot's secrets. ${reason}`
  );
}
