import type { AskCheckup } from '../../ports/host-checkup.ts';
import { type Fields, textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';
import { createRestCheckup, lacksOf, type Since, unsaid } from '../rest/checkup.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { restApiOf } from './rest-api.ts';

/** What setting statuses and writing notes needs. */
const NEEDED = 'api';

/** How GitLab sees this server. */
export function createCheckup(deps: HostDeps, web: string, token: string | undefined): AskCheckup {
  return createRestCheckup(deps, { host: restApiOf(web), web, token }, async (ask) => {
    await ask(OPERATIONS.readMe, { path: '/user' });
    // A group's token is refused where it is asked about itself.
    const told = await askFor(ask, OPERATIONS.readToken, {
      path: '/personal_access_tokens/self',
      read: ({ scopes, expires_at: day }) => ({ rights: textsOf(scopes), endsAt: timeOf(day) }),
    }).catch(unsaid);
    const read = ({ version: text }: Fields) => textOf(text);
    const text = await askFor(ask, OPERATIONS.readVersion, { path: '/version', read }).catch(unsaid);
    const { rights, endsAt } = told ?? {};
    const missing = rights === undefined || rights.includes(NEEDED) ? [] : [NEEDED];
    return {
      signIn: { kind: 'token', rights, missing, endsAt },
      version: text === undefined ? undefined : { text, lacks: lacksOf(text, SINCE) },
    };
  });
}

/** A token ends when its day begins. */
function timeOf(day: unknown): number | undefined {
  const at = Date.parse(textOf(day) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** What came with which version. */
const SINCE: readonly Since[] = [
  [16, 0, 'ID tokens that name the commit'],
  [17, 9, 'the whole diff of a merge request'],
  [19, 0, 'signing tokens of webhooks'],
];

function textsOf(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.map(textOf).filter((one) => one !== undefined) : undefined;
}
