import * as say from '../messages/server.ts';
import { ActionFailure } from '../runner/failure.ts';
import { isTransientStatus } from './retry-timing.ts';
import type { Answer } from './retrying-fetch.ts';
import { statedMessage } from './stated-message.ts';

/** How the server says that a close means no build (docs/wire.md, "Close"). */
const NO_BUILD = /^No (?:build matching|open parallel build)/;

/** Our own server's sentences end with what to do: it is not said a second time. */
const SAYS_WHAT_TO_DO = /(?:^|[.;:] )(?:Ask|Check|Create|Give|Run|Send|Split|Upload|Use|Wait) /;

/** The failure for an answer that is no success: what the server said, and what to do next. */
export function refusal(answer: Answer, url: string): ActionFailure {
  const { status, location } = answer;
  if (status >= 300 && status < 400)
    return new ActionFailure('server-refused', say.redirected(url, { status, to: location }));
  const said = statedMessage(answer.text);
  if (said === undefined && isHtml(answer)) return answerFailure(answer, url);
  const advice = adviceFor(status, said);
  const isSaid = said !== undefined && SAYS_WHAT_TO_DO.test(said);
  const sentence = say.refused(url, { status, said: said ?? '', advice: isSaid ? '' : (advice ?? '') });
  const ofServer = isTransientStatus(status);
  return new ActionFailure('server-refused', sentence, { ofToken: advice === say.ADVICE.token, ofServer });
}

/** The failure for an answer that is not the server's: a proxy, a sign-in page, another service. */
export function answerFailure(answer: Answer, url: string): ActionFailure {
  const { status, contentType } = answer;
  const seen = { status, contentType, isHtml: isHtml(answer), text: answer.text.trim() };
  return new ActionFailure('answer-not-understood', say.notJson(url, seen), { ofServer: isTransientStatus(status) });
}

/** What the server refuses for something else than its sender is said by the server alone. */
function adviceFor(status: number, said = ''): string | undefined {
  if (status === 422 && NO_BUILD.test(said)) return say.ADVICE.nothingToClose;
  // A fork's pull request has no token to check.
  const isOfFork = /accept_forks|no run vouches/.test(said);
  const isOfToken = status === 422 && !isOfFork && (said === '' || /token/i.test(said));
  if (status === 401 || status === 403 || isOfToken) return say.ADVICE.token;
  // Whoever speaks of a repo is a coverage server.
  if (status === 404) return /\brepo\b/i.test(said) ? undefined : say.ADVICE.address;
  if (status === 413) return say.ADVICE.size;
  if (status === 429) return say.ADVICE.limit;
  return status >= 500 ? say.ADVICE.fault : undefined;
}

function isHtml(answer: Answer): boolean {
  return /html/i.test(answer.contentType) || /^\s*</.test(answer.text);
}
