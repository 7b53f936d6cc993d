import type { AskCheckup } from '../../ports/host-checkup.ts';
import { type Fields, textOf } from '../answers.ts';
import { createRestCheckup, type RestCheckupDeps, unsaid } from '../rest/checkup.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { restApiOf } from './rest-api.ts';

/** What setting statuses and writing notes needs. */
const NEEDED = 'api';

/** How GitLab sees this server. A group's token is refused where it is asked about itself. */
export function createCheckup(deps: Omit<RestCheckupDeps, 'host'>): AskCheckup {
  return createRestCheckup({ ...deps, host: restApiOf(deps.web) }, async (ask) => {
    await ask(OPERATIONS.readMe, { path: '/user' });
    const asked = { path: '/personal_access_tokens/self', read: ({ scopes }: Fields) => textsOf(scopes) };
    const rights = await askFor(ask, OPERATIONS.readToken, asked).catch(unsaid);
    return { kind: 'token', rights, missing: rights === undefined || rights.includes(NEEDED) ? [] : [NEEDED] };
  });
}

function textsOf(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.map(textOf).filter((one) => one !== undefined) : undefined;
}
