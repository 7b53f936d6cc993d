import type { Fetch } from '../../platform/outgoing.ts';
import { type AskCheckup, CHECKUP_LIMIT, type HostCheckup, type SignInState } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { nameIn } from './comments.ts';
import { OPERATIONS } from './operations.ts';
import { API } from './questions.ts';
import { restApiOf } from './rest-api.ts';

/** How Bitbucket Data Center sees this server. What a token may do it does not say; an answer says whose it is. */
export function createCheckup({
  web,
  token,
  clock,
  timers,
  ...deps
}: HostDeps & { readonly web: string; readonly token: string | undefined }): AskCheckup {
  return async () => {
    let clocks: HostCheckup['clocks'];
    const fetch: Fetch = async (input, init) => {
      const answer = await deps.fetch(input, init);
      const host = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(host)) clocks = { host, ours: clock.now() };
      return answer;
    };
    const host = restApiOf(web);
    const calls = createCalls({ fetch, clock, timers, host, token: token ?? '', timeLimit: CHECKUP_LIMIT });
    let signIn: SignInState;
    try {
      const asked = { path: `${API}/projects`, query: { limit: '1' } };
      const name = nameIn((await calls((ask) => ask(OPERATIONS.readMe, asked))).headers);
      // A wrong token may count as none, to which public projects are shown.
      signIn =
        name === undefined
          ? { kind: 'refused', why: 'Bitbucket Data Center does not know whose the token is.' }
          : { kind: 'token', rights: undefined, missing: [] };
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.status === undefined) throw error;
      signIn = { kind: error.kind === 'permanent' ? 'refused' : 'unknown', why: error.message };
    }
    if (token === undefined) signIn = { kind: 'none' };
    return { address: web, clocks, signIn, rateLimit: undefined };
  };
}
