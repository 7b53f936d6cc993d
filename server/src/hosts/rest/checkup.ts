import type { Fetch } from '../../platform/outgoing.ts';
import { type AskCheckup, CHECKUP_LIMIT, type HostCheckup } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { idOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import { type Ask, createCalls, type RestHost } from './calls.ts';

/** What a host says when it is asked. */
export type Said = Pick<HostCheckup, 'signIn' | 'version'> & Partial<Pick<HostCheckup, 'rateLimit'>>;

/**
 * How a host sees this server. The clock is read from whatever answers, a refusal too. `web`: its address for people;
 * `last`: the last answer's headers.
 */
export function createRestCheckup(
  { clock, timers, ...deps }: HostDeps,
  { host, web, token }: { readonly host: RestHost; readonly web: string; readonly token: string | undefined },
  askHost: (ask: Ask, last: () => Headers) => Promise<Said>,
): AskCheckup {
  return async () => {
    let clocks: HostCheckup['clocks'];
    let last = new Headers();
    const fetch: Fetch = async (input, init) => {
      const answer = await deps.fetch(input, init);
      const theirs = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(theirs)) clocks = { host: theirs, ours: clock.now() };
      last = answer.headers;
      return answer;
    };
    const calls = createCalls({ host, fetch, clock, timers, token: token ?? '', timeLimit: CHECKUP_LIMIT });
    let said: Said;
    try {
      said = await calls((ask) => askHost(ask, () => last));
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.status === undefined) throw error;
      const { kind, message: why } = error;
      const refused = { kind: kind === 'permanent' ? 'refused' : 'unknown', why } as const;
      said = { signIn: refused };
    }
    const signIn = token === undefined ? ({ kind: 'none' } as const) : said.signIn;
    return { address: web, clocks, ...said, signIn, rateLimit: said.rateLimit ?? rateLimitOf(last) };
  };
}

/** A refusal of a question that is not about the token itself. */
export function unsaid(error: unknown): undefined {
  if (!(error instanceof ProviderFailure) || error.kind !== 'permanent') throw error;
}

/** Since which version a host has something. */
export type Since = readonly [major: number, minor: number, what: string];

/** What a version lacks, as doctor says it: `1.25.4`, `18.4.2-ee`. */
export function lacksOf(version: string, since: readonly Since[]): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return since
    .filter(([from, min]) => major < from || (major === from && minor < min))
    .map(([from, min, what]) => `${what} (${from}.${min})`);
}

/** If a host limits requests, it says so of each. */
function rateLimitOf(headers: Headers): HostCheckup['rateLimit'] {
  const numberIn = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [limit, left, reset] = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(numberIn);
  if (idOf(limit) === undefined || !Number.isSafeInteger(left) || idOf(reset) === undefined) return undefined;
  return { limit: Number(limit), left: Number(left), resetAt: Number(reset) * 1_000 };
}
