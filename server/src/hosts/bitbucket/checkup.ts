import type { AskCheckup, SignInState } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createRestCheckup } from '../rest/checkup.ts';
import { OPERATIONS } from './operations.ts';
import type { Bitbucket } from './questions.ts';
import { restApiOf } from './rest-api.ts';

/** Each is there as itself, or as one that includes it. */
const NEEDED: readonly (readonly [scope: string, included: RegExp])[] = [
  ['repository', /^(?:repository|pullrequest)(?::(?:write|admin))?$|^read:repository:bitbucket$/],
  ['pullrequest', /^pullrequest(?::write)?$|^write:pullrequest:bitbucket$/],
];

/** How Bitbucket sees this server. Which scopes a token has, every answer says to it, a refusal too. */
export function createCheckup(
  deps: HostDeps,
  {
    api,
    token,
    own,
  }: { readonly api: string; readonly token: string | undefined; readonly own: Bitbucket | undefined },
): AskCheckup {
  return createRestCheckup(deps, { host: restApiOf(api), web: api, token }, async (ask, last) => {
    try {
      await ask(OPERATIONS.readMe, { path: '/user' });
    } catch (error) {
      // A repo's own token may not ask whose it is, and is right anyway.
      if (!(error instanceof ProviderFailure) || error.status !== 403) throw error;
    }
    own?.budget.note(last());
    const scopes = last().get('x-oauth-scopes');
    return { signIn: rightsOf(scopes?.split(/[\s,]+/).filter((one) => one !== '')), rateLimit: own?.budget.left() };
  });
}

function rightsOf(scopes: readonly string[] | undefined): SignInState {
  const missing = NEEDED.filter(([, included]) => scopes !== undefined && !scopes.some((one) => included.test(one)));
  return { kind: 'token', rights: scopes, missing: missing.map(([scope]) => scope) };
}
