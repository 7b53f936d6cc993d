import type { Fetch } from '../../platform/outgoing.ts';
import { type AskCheckup, CHECKUP_LIMIT, type HostCheckup, type SignInState } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { OPERATIONS } from './operations.ts';
import type { Bitbucket } from './questions.ts';
import { restApiOf } from './rest-api.ts';

export interface CheckupDeps extends HostDeps {
  readonly api: string;
  readonly token: string | undefined;
  readonly own: Bitbucket | undefined;
}

/** Each is there as itself, or as one that includes it. */
const NEEDED: readonly (readonly [scope: string, included: RegExp])[] = [
  ['repository', /^(?:repository|pullrequest)(?::(?:write|admin))?$|^read:repository:bitbucket$/],
  ['pullrequest', /^pullrequest(?::write)?$|^write:pullrequest:bitbucket$/],
];

/** How Bitbucket sees this server. Which scopes a token has, every answer says to it, a refusal too. */
export function createCheckup({ api, token, own, clock, timers, ...deps }: CheckupDeps): AskCheckup {
  return async () => {
    let clocks: HostCheckup['clocks'];
    let scopes: readonly string[] | undefined;
    const fetch: Fetch = async (input, init) => {
      const answer = await deps.fetch(input, init);
      const host = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(host)) clocks = { host, ours: clock.now() };
      scopes = answer.headers
        .get('x-oauth-scopes')
        ?.split(/[\s,]+/)
        .filter((one) => one !== '');
      own?.budget.note(answer.headers);
      return answer;
    };
    const calls = createCalls({
      fetch,
      clock,
      timers,
      host: restApiOf(api),
      token: token ?? '',
      timeLimit: CHECKUP_LIMIT,
    });
    let signIn: SignInState | undefined;
    try {
      await calls((ask) => ask(OPERATIONS.readMe, { path: '/user' }));
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.status === undefined) throw error;
      const { kind, status, message: why } = error;
      // A repo's own token may not ask whose it is, and is right all the same.
      if (status !== 403) signIn = { kind: kind === 'permanent' ? 'refused' : 'unknown', why };
    }
    if (token === undefined) signIn = { kind: 'none' };
    return { address: api, clocks, signIn: signIn ?? rightsOf(scopes), rateLimit: own?.budget.left() };
  };
}

function rightsOf(scopes: readonly string[] | undefined): SignInState {
  const missing = NEEDED.filter(([, included]) => scopes !== undefined && !scopes.some((one) => included.test(one)));
  return { kind: 'token', rights: scopes, missing: missing.map(([scope]) => scope) };
}
