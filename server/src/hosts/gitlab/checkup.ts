import type { Fetch } from '../../platform/outgoing.ts';
import { type AskCheckup, CHECKUP_LIMIT, type HostCheckup, type SignInState } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, idOf, textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import { type Answer, createCalls } from '../rest/calls.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { restApiOf } from './rest-api.ts';

export interface CheckupDeps extends HostDeps {
  readonly web: string;
  readonly token: string | undefined;
}

/** What setting statuses and writing notes needs. */
const NEEDED = 'api';

/** How GitLab sees this server. The clock is read from whatever answers, a refusal too. */
export function createCheckup({ web, token, clock, timers, ...deps }: CheckupDeps): AskCheckup {
  return async () => {
    let clocks: HostCheckup['clocks'];
    const fetch: Fetch = async (input, init) => {
      const answer = await deps.fetch(input, init);
      const host = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(host)) clocks = { host, ours: clock.now() };
      return answer;
    };
    const calls = createCalls({
      fetch,
      clock,
      timers,
      host: restApiOf(web),
      token: token ?? '',
      timeLimit: CHECKUP_LIMIT,
    });
    let answer: Answer | undefined;
    let version: HostCheckup['version'];
    let signIn: SignInState;
    try {
      signIn = await calls(async (ask) => {
        answer = await ask(OPERATIONS.readMe, { path: '/user' });
        const told = await askFor(ask, OPERATIONS.readToken, {
          path: '/personal_access_tokens/self',
          read: ({ scopes, expires_at: day }) => ({ rights: textsOf(scopes), endsAt: timeOf(day) }),
        }).catch(unsaid);
        const read = ({ version: text }: Fields) => textOf(text);
        const text = await askFor(ask, OPERATIONS.readVersion, { path: '/version', read }).catch(unsaid);
        version = text === undefined ? undefined : { text, lacks: lacksOf(text) };
        const { rights, endsAt } = told ?? {};
        const missing = rights === undefined || rights.includes(NEEDED) ? [] : [NEEDED];
        return { kind: 'token', rights, missing, endsAt };
      });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.status === undefined) throw error;
      const { kind, message: why } = error;
      signIn = token === undefined ? { kind: 'none' } : { kind: kind === 'permanent' ? 'refused' : 'unknown', why };
    }
    return { address: web, clocks, signIn, version, rateLimit: answer && rateLimitOf(answer.headers) };
  };
}

/** A group's token is refused where it is asked about itself. */
function unsaid(error: unknown): undefined {
  if (!(error instanceof ProviderFailure) || error.kind !== 'permanent') throw error;
}

/** A token ends when its day begins. */
function timeOf(day: unknown): number | undefined {
  const at = Date.parse(textOf(day) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** What came with which version. */
const SINCE: readonly (readonly [major: number, minor: number, what: string])[] = [
  [16, 0, 'id-tokens that name the commit'],
  [17, 9, 'the whole diff of a merge request'],
  [19, 0, 'signing tokens of webhooks'],
];

/** `18.4.2-ee` */
function lacksOf(version: string): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return SINCE.filter(([from, least]) => major < from || (major === from && minor < least)).map(
    ([from, least, what]) => `${what} (${from}.${least})`,
  );
}

function textsOf(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.map(textOf).filter((one) => one !== undefined) : undefined;
}

/** Where GitLab limits requests, it says so of each. */
function rateLimitOf(headers: Headers): HostCheckup['rateLimit'] {
  const numberIn = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [limit, left, reset] = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(numberIn);
  if (idOf(limit) === undefined || !Number.isSafeInteger(left) || idOf(reset) === undefined) return undefined;
  return { limit: Number(limit), left: Number(left), resetAt: Number(reset) * 1_000 };
}
