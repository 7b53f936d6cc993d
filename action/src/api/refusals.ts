import { ActionFailure } from '../runner/failure.ts';
import type { Counts, Texts } from '../runner/words.ts';
import { type Answer, isTransientStatus, statedMessage } from './retrying-fetch.ts';

const ADVICE = {
  token:
    'check "repo-token" (the repo\'s token from the server, not a personal one), and that the repo was created there.',
  nothingToClose:
    'let this step run after a job of this run has uploaded its coverage ("needs" in the workflow), and with the ' +
    'same "build-number" as the uploads, if they have one. Without this step, the server closes the build after ' +
    'its quiet period (30 minutes by default).',
  address: 'check the URL in "coveralls-endpoint" or "server-url": there is no coverage API.',
  size: 'split the upload into parallel jobs with flags, or raise MAX_UPLOAD_BYTES on the server.',
  limit: 'run it again later, or raise "timeout" so that this step waits longer.',
  fault: 'look at the server\'s log, then run this job again; "timeout" says how long the step keeps trying.',
} as const;

/** How the server says that a close means no build (docs/wire.md, "Close"). */
const NO_BUILD = /^No (?:build matching|open parallel build)/;

/** Our own server's sentences end with what to do: it is not said a second time. */
const SAYS_WHAT_TO_DO = /(?:^|[.;:] )(?:Ask|Check|Create|Give|Run|Send|Split|Upload|Use|Wait) /;

/** The failure for an answer that is no success: what the server said, and what to do next. */
export function refusal(answer: Answer, url: string): ActionFailure {
  const { status, location } = answer;
  if (status >= 300 && status < 400)
    return new ActionFailure(
      'server-refused',
      `${url} answered with a redirect (${status}) to ${location || 'nowhere'}. An upload is never redirected: ` +
        'give the final URL as "coveralls-endpoint" or "server-url".',
    );
  const said = statedMessage(answer.text);
  if (said === undefined && isHtml(answer)) return answerFailure(answer, url);
  const advice = adviceFor(status, said);
  const isSaid = said !== undefined && SAYS_WHAT_TO_DO.test(said);
  const sentence = refused(url, { status, said: said ?? '', advice: isSaid ? '' : (advice ?? '') });
  const ofServer = isTransientStatus(status);
  return new ActionFailure('server-refused', sentence, { ofToken: advice === ADVICE.token, ofServer });
}

/** The failure for an answer that is not the server's: a proxy, a sign-in page, another service. */
export function answerFailure(answer: Answer, url: string): ActionFailure {
  const { status, contentType } = answer;
  const seen = { status, contentType, isHtml: isHtml(answer), text: answer.text.trim() };
  return new ActionFailure('answer-not-understood', notJson(url, seen), { ofServer: isTransientStatus(status) });
}

/** If the sender is not the reason, only the server says why it refuses. */
function adviceFor(status: number, said = ''): string | undefined {
  if (status === 422 && NO_BUILD.test(said)) return ADVICE.nothingToClose;
  // A fork's pull request has no token to check.
  const isOfFork = /accept_forks|no run vouches/.test(said);
  const isOfToken = status === 422 && !isOfFork && (said === '' || /token/i.test(said));
  if (status === 401 || status === 403 || isOfToken) return ADVICE.token;
  // An answer about a repo comes from a coverage server.
  if (status === 404) return /\brepo\b/i.test(said) ? undefined : ADVICE.address;
  if (status === 413) return ADVICE.size;
  if (status === 429) return ADVICE.limit;
  return status >= 500 ? ADVICE.fault : undefined;
}

function isHtml(answer: Answer): boolean {
  return /html/i.test(answer.contentType) || /^\s*</.test(answer.text);
}

/** `said`: the sentence of the answer without its full stop; empty without one. */
function refused(url: string, { status, said, advice }: Texts<'said' | 'advice'> & Counts<'status'>): string {
  const outcome = status >= 500 ? 'could not accept' : 'refused';
  const words = said === '' ? '' : `: ${said}`;
  const next = advice === '' ? '' : ` Next: ${advice}`;
  return `The coverage server ${outcome} the request (${status} from ${url})${words}.${next}`;
}

function notJson(
  url: string,
  answer: { readonly status: number; readonly isHtml: boolean; readonly contentType: string; readonly text: string },
): string {
  const { status, isHtml, contentType, text } = answer;
  const kind = isHtml ? 'an HTML page' : contentType || 'content of no stated type';
  const begins = text === '' ? '' : ` It begins: ${JSON.stringify(text.slice(0, 120))}.`;
  return (
    `${url} answered ${status} with ${kind}, where JSON was expected.${begins} Either a proxy or sign-in page in ` +
    'front of the server answered, or the URL does not belong to a coverage server: check "coveralls-endpoint" or ' +
    '"server-url".'
  );
}
