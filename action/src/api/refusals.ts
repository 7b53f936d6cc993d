import { ActionFailure } from '../failure.ts';
import type { Answer } from './retrying-fetch.ts';

const MAX_SHOWN = 500;

/** The failure for an answer that is no success: what the server said, and what to do next. */
export function refusal(answer: Answer, url: string): ActionFailure {
  const { status, location } = answer;
  if (status >= 300 && status < 400) {
    return new ActionFailure(
      'server-refused',
      `${url} answered with a redirect (${status}) to ${location || 'nowhere'}. An upload is never redirected: ` +
        'give the final address ' +
        'as "coveralls-endpoint" or "server-url".',
    );
  }
  const said = statedMessage(answer.text);
  if (said === undefined && isHtml(answer)) return answerFailure(answer, url);
  const words = said === undefined ? '' : `: ${said}`;
  const outcome = status >= 500 ? 'could not take' : 'refused';
  return new ActionFailure(
    'server-refused',
    `The coverage server ${outcome} the request (${status} from ${url})${words}${advice(status, said)}`,
  );
}

/** The failure for an answer that is not the server's: a proxy, a sign-in page, another service. */
export function answerFailure(answer: Answer, url: string): ActionFailure {
  const kind = isHtml(answer) ? 'an HTML page' : `${answer.contentType || 'content of no stated type'}`;
  const begins = answer.text.trim() === '' ? '' : ` It begins: ${JSON.stringify(answer.text.trim().slice(0, 120))}.`;
  return new ActionFailure(
    'answer-not-understood',
    `${url} answered ${answer.status} with ${kind}, where JSON was expected.${begins} A proxy or sign-in page ` +
      'in front of the server ' +
      'answers so, or the address is not a coverage server: check "coveralls-endpoint" or "server-url" and what ' +
      'stands in between.',
  );
}

/** How the server says that a close means no build (docs/wire.md, "Close"). */
const NO_BUILD = /^No (?:build matching|open parallel build)/;

function advice(status: number, said = ''): string {
  if (status === 422 && NO_BUILD.test(said)) {
    return (
      '. Next: let this step run after a job of this run has uploaded its coverage ("needs" in the workflow), and ' +
      'with the same "build-number" as the uploads, if they have one.'
    );
  }
  if (status === 422 && said !== '' && !/token/i.test(said)) return '.';
  if (status === 401 || status === 403 || status === 422) {
    return (
      '. Next: check "repo-token" (the repo\'s token from the server, not a personal one), and that the repo was ' +
      'created there.'
    );
  }
  if (status === 404)
    return '. Next: check the address in "coveralls-endpoint" or "server-url": there is no coverage API.';
  if (status === 413)
    return '. Next: split the upload into parallel jobs with flags, or raise MAX_UPLOAD_BYTES on the server.';
  if (status === 429) return '. Next: run it again later, or raise "timeout" so that this step waits longer.';
  if (status >= 500)
    return '. Next: look at the server\'s log, then run this job again; "timeout" says how long the step keeps trying.';
  return '.';
}

/** The sentence of a failure answer (wire.md, "Failures"), cut; undefined where there is none. */
function statedMessage(text: string): string | undefined {
  const message = (parsedObject(text) as { message?: unknown } | undefined)?.message;
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  const cut = message.length > MAX_SHOWN ? `${message.slice(0, MAX_SHOWN)}…` : message;
  return cut.trim().replace(/\.$/, '');
}

function isHtml(answer: Answer): boolean {
  return /html/i.test(answer.contentType) || /^\s*</.test(answer.text);
}

/** The JSON object that a text holds; undefined where it holds none. */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
