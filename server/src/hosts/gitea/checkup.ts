import type { AskCheckup } from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import type { Ask, Asked } from '../rest/calls.ts';
import { createRestCheckup, lacksOf, unsaid } from '../rest/checkup.ts';
import type { Operation } from '../rest/operations.ts';
import { askFor } from '../rest/questions.ts';
import { apiOf, type Flavor } from './flavor.ts';
import { giteaOperations } from './operations.ts';

/** If the token lacks the right to ask whose it is, our comment is not found again. */
const ASKED_FOR = 'read:user';
/** No repo can be there: `-` is a name that nobody may take. */
const NOWHERE = '/repos/-/-';

/**
 * How Gitea sees this server. What a token may do it does not say, except for what it refuses, and it looks at the
 * scope before it looks for the repo: so it is asked to write if there is none.
 */
export function createCheckup(flavor: Flavor, deps: HostDeps, web: string, token: string | undefined): AskCheckup {
  const host = apiOf(flavor, web);
  const operations = giteaOperations(host);
  return createRestCheckup(deps, { host, web, token }, async (ask) => {
    const me = await askFor(ask, operations.readMe, { path: '/user', read: ({ login }) => textOf(login) }).catch(
      unsaid,
    );
    const asked = { path: '/version', read: ({ version: said }: { readonly version?: unknown }) => textOf(said) };
    const text = await askFor(ask, operations.readVersion, asked).catch(unsaid);
    const [statuses, comments] = await Promise.all([
      lacksScope(ask, operations.setStatus, { path: `${NOWHERE}/statuses/0`, body: { state: 'pending' } }),
      lacksScope(ask, operations.createComment, { path: `${NOWHERE}/issues/0/comments`, body: { body: '' } }),
    ]);
    const missing = [
      ...(me === undefined ? [ASKED_FOR] : []),
      ...(statuses ? ['write:repository'] : []),
      ...(comments ? ['write:issue'] : []),
    ];
    const version = text === undefined ? undefined : { text, lacks: lacksOf(text, flavor.since) };
    return { signIn: { kind: 'token', rights: undefined, missing }, version };
  });
}

async function lacksScope(ask: Ask, operation: Operation, asked: Asked): Promise<boolean> {
  try {
    await ask(operation, { ...asked, method: 'POST' });
    return false;
  } catch (error) {
    // Whatever else it says of a place where nothing is, it does not refuse the token.
    if (error instanceof ProviderFailure && error.status !== undefined && error.status !== 401)
      return error.status === 403;
    throw error;
  }
}
