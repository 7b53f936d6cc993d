import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal } from './answer.ts';
import { type AppRecord, type InstallationRecord, installationOf, makeToken } from './apps.ts';
import { timestamp } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, repoOf } from './operation.ts';
import { PERMISSIONS, presentApp, presentInstallation } from './present-app.ts';

export const appOperations: readonly Operation[] = [
  { method: 'GET', template: '/app', run: readApp },
  { method: 'GET', template: '/app/installations', run: listInstallations },
  { method: 'GET', template: '/repos/{owner}/{repo}/installation', run: readInstallation },
  { method: 'POST', template: '/app/installations/{installation_id}/access_tokens', run: createToken },
];

function readApp(call: Call): Answer {
  const app = appOf(call);
  return {
    status: 200,
    body: { ...presentApp(call.world, app), installations_count: installationsOf(call, app).length },
  };
}

function listInstallations(call: Call): Answer {
  const { items, headers } = pageOf(installationsOf(call, appOf(call)), call.query, call.address);
  const body = items.map((one) => {
    const { account, ...rest } = presentInstallation(call.world, one);
    // GitHub's description of this list wants each account to be an enterprise as well.
    const enterprise = { name: one.owner, slug: one.owner, created_at: rest.created_at, updated_at: rest.updated_at };
    return { ...rest, account: { ...(account as object), ...enterprise } };
  });
  return { status: 200, body, headers };
}

function installationsOf({ world }: Call, { id }: AppRecord): readonly InstallationRecord[] {
  return [...world.apps.installations.values()].filter(({ app }) => app.id === id);
}

function readInstallation(call: Call): Answer {
  const app = appOf(call);
  const installation = installationOf(call.world, app, repoOf(call));
  if (!installation) throw notFound();
  return { status: 200, body: presentInstallation(call.world, installation) };
}

function createToken(call: Call): Answer {
  const installation = installationById(call, appOf(call));
  if (installation.suspendedAt !== undefined) throw suspended();
  const { token, expiresAt } = makeToken(call.world, installation.id);
  const selection = installation.repos === undefined ? 'all' : 'selected';
  const body = { token, expires_at: timestamp(expiresAt), permissions: PERMISSIONS, repository_selection: selection };
  return { status: 201, body };
}

/** GitHub's refusal of everything that a suspended installation asks for. */
export function suspended(): Refusal {
  return new Refusal(failure(403, 'This installation has been suspended'));
}

/** Only an App itself, by a JWT, may ask these. */
function appOf({ caller }: Call): AppRecord {
  if (caller.kind === 'app' && caller.app) return caller.app;
  throw new Refusal(failure(401, 'A JSON web token could not be decoded'));
}

function installationById(call: Call, app: AppRecord): InstallationRecord {
  const found = call.world.apps.installations.get(Number(paramOf(call, 'installation_id')));
  if (found?.app.id !== app.id) throw notFound();
  return found;
}
