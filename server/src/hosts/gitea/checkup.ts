import type { AskCheckup } from '../../ports/host-checkup.ts';
import { textOf } from '../answers.ts';
import { createRestCheckup, type RestCheckupDeps, unsaid } from '../rest/checkup.ts';
import { askFor } from '../rest/questions.ts';
import { apiOf, type Flavour } from './flavour.ts';
import { giteaOperations } from './operations.ts';

/** Where the token lacks the right to ask whose it is, our comment is not found again. */
const ASKED_FOR = 'read:user';

/** How Gitea sees this server. What a token may do it does not say, but for what it refuses. */
export function createCheckup(flavour: Flavour, deps: Omit<RestCheckupDeps, 'host'>): AskCheckup {
  const host = apiOf(flavour, deps.web);
  const operations = giteaOperations(host);
  return createRestCheckup({ ...deps, host }, async (ask) => {
    const me = await askFor(ask, operations.readMe, { path: '/user', read: ({ login }) => textOf(login) }).catch(
      unsaid,
    );
    return { signIn: { kind: 'token', rights: undefined, missing: me === undefined ? [ASKED_FOR] : [] } };
  });
}
