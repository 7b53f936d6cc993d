import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { withoutEndSlashes } from '../api/coverage-client.ts';
import {
  type Answer,
  createRetryingFetches,
  parsedObject,
  type RetryingFetch,
  statedMessage,
} from '../api/retrying-fetch.ts';
import { ActionFailure } from '../runner/failure.ts';
import { counted } from '../runner/words.ts';
import { notAnAddress } from '../step/inputs.ts';
import { isGithubRun } from './command-inputs.ts';
import { type Finding, good, SUBJECTS } from './doctor-findings.ts';
import { createProxiedFetch } from './proxied-fetch.ts';
import { ENDPOINT_MISSING, type Settings } from './settings.ts';
import { EXIT, exitCodeOf, type Shell } from './shell/command.ts';

const SAME_COMMAND = 'is what this server hands out';

const TOKEN_REMEDY =
  "Copy the repo's token from its page on the server into COVERALLS_REPO_TOKEN. For pull requests from forks, the " +
  'secret is always empty, which is fine.';

/** Enough for a server that is up; somebody sits and waits. */
const LIMITS = { totalMs: 5_000, tryMs: 5_000 };
/** What certificates and tokens forgive, in seconds. */
const CLOCK_SLACK_S = 60;

/** Asks the server who it is, whether it takes the token, and what time it has. */
export async function serverFindings(
  settings: Settings,
  shell: Shell,
  { caFile }: { readonly caFile: string },
): Promise<Finding[]> {
  const { endpoint, token, endpointRefused } = settings;
  if (endpointRefused !== undefined)
    return [{ subject: SUBJECTS.server, text: endpointRefused, remedy: '', code: EXIT.wrongUse }];
  if (endpoint === '')
    return [{ subject: SUBJECTS.server, text: 'not named', remedy: ENDPOINT_MISSING, code: EXIT.wrongUse }];
  if (!URL.canParse(endpoint)) {
    const text = notAnAddress('endpoint', endpoint);
    return [{ subject: SUBJECTS.server, text, remedy: '', code: EXIT.wrongUse }];
  }
  const base = withoutEndSlashes(endpoint);
  try {
    const ask = await createAsking(base, shell, caFile);
    const welcome = await ask.get('/');
    const { message, url } = (parsedObject(welcome.text) ?? {}) as { readonly message?: unknown; url?: unknown };
    if (welcome.status !== 200 || typeof message !== 'string' || typeof url !== 'string') {
      const text = `${base} answers (${welcome.status}), but not as a coverage server does`;
      return [
        {
          subject: SUBJECTS.server,
          text,
          remedy: 'Check the URL: there may be a proxy or a sign-in page in front of the server.',
          code: EXIT.refused,
        },
      ];
    }
    return [
      good(SUBJECTS.server, `${base} answers`),
      await commandFinding(ask, base, shell),
      clockFinding(ask.answeredAt()),
      tokenFinding(token === '' ? undefined : await ask.get('/api/v1/upload-settings', token), settings, shell),
    ];
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    return [{ subject: SUBJECTS.server, text: error.message, remedy: '', code: exitCodeOf(error.code) }];
  }
}

interface Asking {
  get(path: string, token?: string): Promise<Answer>;
  /** The server's time at its first answer, in milliseconds since 1970; undefined if it says none. */
  answeredAt(): { readonly server: number; readonly here: number } | undefined;
}

async function createAsking(base: string, shell: Shell, caFile: string): Promise<Asking> {
  let answered: { readonly server: number; readonly here: number } | undefined;
  const fetch = await createProxiedFetch(shell.runtime.fetch, { env: shell.env, caFile });
  const timed: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const server = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(server)) answered ??= { server, here: shell.runtime.now() };
    return response;
  };
  const silent = { info: () => undefined, warning: () => undefined };
  const send: RetryingFetch = createRetryingFetches({ ...shell.runtime, fetch: timed }, silent)(LIMITS);
  return {
    answeredAt: () => answered,
    get(path, token) {
      const url = new URL(base + path);
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return send({
        url,
        shownUrl: url.href,
        method: 'GET',
        headers: { accept: 'application/json', ...authorization },
      });
    },
  };
}

async function commandFinding(ask: Asking, base: string, { file, version, nodeVersion }: Shell): Promise<Finding> {
  const node = `${version}, on Node ${nodeVersion}`;
  const [beside, own] = await Promise.all([ask.get('/cli.mjs.sha256'), readFile(file).catch(() => undefined)]);
  if (beside.status !== 200 || own === undefined) return good(SUBJECTS.command, node);
  const isSame = beside.text.startsWith(createHash('sha256').update(own).digest('hex'));
  return isSame ? good(SUBJECTS.command, `${node}, ${SAME_COMMAND}`) : good(SUBJECTS.command, node, otherCommand(base));
}

function clockFinding(at: ReturnType<Asking['answeredAt']>): Finding {
  const seconds = at === undefined ? 0 : Math.round(Math.abs(at.server - at.here) / 1000);
  if (seconds <= CLOCK_SLACK_S) return good(SUBJECTS.clock, "is the server's");
  return good(
    SUBJECTS.clock,
    `differs by ${counted(seconds, 'second')} from the server's`,
    'Synchronize the clock of this machine with NTP: certificates and ID tokens depend on the time.',
  );
}

/** `answer`: to a question that only the token of a repo may ask; undefined without one. */
function tokenFinding(answer: Answer | undefined, settings: Settings, { env }: Shell): Finding {
  const { token } = settings;
  if (answer === undefined) {
    const mayAsk = isGithubRun(settings) && Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL);
    return mayAsk
      ? good(SUBJECTS.token, 'none is known; the job may ask GitHub for an ID token')
      : { subject: SUBJECTS.token, text: 'none is known', remedy: TOKEN_REMEDY, code: EXIT.wrongUse };
  }
  if (answer.status === 200) return good(SUBJECTS.token, 'is the token of a repo there');
  if (/^(?:gh[a-z]_|github_pat_)/.test(token))
    return good(
      SUBJECTS.token,
      'is a token of GitHub, which counts for the repo of the run: only an upload shows whether it does',
    );
  const said = statedMessage(answer.text) ?? String(answer.status);
  return { subject: SUBJECTS.token, text: `is not accepted: ${said}`, remedy: TOKEN_REMEDY, code: EXIT.refused };
}

function otherCommand(url: string): string {
  return `Its server hands out another version: curl -fsS ${url}/cli.mjs -o coverage.mjs`;
}
