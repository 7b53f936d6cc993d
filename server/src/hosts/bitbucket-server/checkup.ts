import type { AskCheckup } from '../../ports/host-checkup.ts';
import { textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import { createRestCheckup, lacksOf, type Since, unsaid } from '../rest/checkup.ts';
import { askFor } from '../rest/questions.ts';
import { nameIn } from './comments.ts';
import { OPERATIONS } from './operations.ts';
import { API } from './questions.ts';
import { restApiOf } from './rest-api.ts';

/** What came with which version. */
const SINCE: readonly Since[] = [
  [7, 14, 'build statuses of a repo'],
  [7, 20, 'signing in'],
];

/** How Bitbucket Data Center sees this server. What a token may do it does not say; an answer says whose it is. */
export function createCheckup(deps: HostDeps, web: string, token: string | undefined): AskCheckup {
  return createRestCheckup(deps, { host: restApiOf(web), web, token }, async (ask) => {
    const name = nameIn((await ask(OPERATIONS.readMe, { path: `${API}/projects`, query: { limit: '1' } })).headers);
    const text = await askFor(ask, OPERATIONS.readVersion, {
      path: `${API}/application-properties`,
      read: ({ version }) => textOf(version),
    }).catch(unsaid);
    return {
      // A wrong token may count as none, to which public projects are shown.
      signIn:
        name === undefined
          ? { kind: 'refused', why: 'Bitbucket Data Center does not know who the token belongs to.' }
          : { kind: 'token', rights: undefined, missing: [] },
      version: text === undefined ? undefined : { text, lacks: lacksOf(text, SINCE) },
    };
  });
}
