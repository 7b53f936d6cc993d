import type { z } from 'zod';
import type { AccessLost } from '../../core/repo/repo.ts';
import type { AppAccess, ProviderEvent } from '../../ports/provider-events.ts';
import { checkPayload, PAYLOADS, toEventRepo } from './webhook-payloads.ts';

type Installed = z.output<typeof PAYLOADS.installation>['installation'];

/**
 * An App was installed or removed, halted or let go on (docs.github.com, "Webhook events and payloads",
 * "installation").
 */
export function readInstallation(payload: unknown, action: string): ProviderEvent | undefined {
  const how = LOSSES.get(action);
  if (how === undefined && !GAINS.has(action)) return undefined;
  const { installation, repositories } = checkPayload(PAYLOADS.installation, payload, 'installation');
  const repos = (repositories ?? []).map(toEventRepo);
  if (how !== undefined) {
    // GitHub lists its repos, perhaps not all: none of the owner's is reached any more.
    const lost = accessOf(installation, { isWhole: true });
    return lost && { kind: 'access-lost', repos, lost, how };
  }
  const gained = accessOf(installation, { isWhole: action !== 'created' || coversAll(installation) });
  return { kind: 'repos-listed', repos, gained: gained && { ...gained, ends: GAINS.get(action) ?? [] } };
}

const LOSSES: ReadonlyMap<string, AccessLost['how']> = new Map([
  ['deleted', 'uninstalled'],
  ['suspend', 'suspended'],
]);
/** Which losses each of them ends. */
const GAINS: ReadonlyMap<string, readonly AccessLost['how'][]> = new Map([
  ['created', ['uninstalled', 'suspended', 'deselected']],
  ['unsuspend', ['suspended']],
  ['new_permissions_accepted', []],
]);

/** Repos were given to an installation, or taken out of it. */
export function readInstallationRepositories(payload: unknown, action: string): ProviderEvent | undefined {
  if (action !== 'added' && action !== 'removed') return undefined;
  const checked = checkPayload(PAYLOADS.installationRepositories, payload, 'installation_repositories');
  const { installation, repositories_added: added, repositories_removed: removed } = checked;
  if (action === 'added') {
    const gained = accessOf(installation, { isWhole: coversAll(installation) });
    const ends = ['uninstalled', 'deselected'] as const;
    return { kind: 'repos-listed', repos: (added ?? []).map(toEventRepo), gained: gained && { ...gained, ends } };
  }
  const lost = accessOf(installation, { isWhole: false });
  return lost && { kind: 'access-lost', repos: (removed ?? []).map(toEventRepo), lost, how: 'deselected' };
}

/** The account that an App is installed for got another name. */
export function readInstallationTarget(payload: unknown, action: string, appId?: number): ProviderEvent | undefined {
  if (action !== 'renamed') return undefined;
  const { account, changes } = checkPayload(PAYLOADS.installationTarget, payload, 'installation_target');
  const [from, to] = [changes?.login?.from, account.login];
  return from === undefined || to === undefined ? undefined : { kind: 'owner-renamed', appId, from, to };
}

function coversAll(installation: Installed): boolean {
  return installation?.repository_selection === 'all';
}

function accessOf(installation: Installed, { isWhole }: { readonly isWhole: boolean }): AppAccess | undefined {
  if (installation === null || installation === undefined) return undefined;
  const { id, app_id: appId, account } = installation;
  return { appId, installation: id, owner: isWhole ? account?.login : undefined };
}
