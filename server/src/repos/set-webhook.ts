import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { Failure } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Hosts } from '../ports/host.ts';
import { ProviderFailure, type WebhookChange } from '../ports/provider.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import type { RepoStore } from '../storage/store.ts';
import { ofProviderFailure } from './provider-refusal.ts';

export interface SetWebhookDeps {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly knowAccess: KnowAccess;
  readonly hosts: Hosts;
  readonly clock: Clock;
  /** BASE_URL. */
  readonly baseUrl: () => string;
}

export type SetWebhook = (
  request: RepoRequest,
) => Promise<{ readonly result: WebhookChange; readonly address: string }>;

/** Has the repo's git host send its events here: makes the webhook, or repairs the one that is there. */
export function createSetWebhook(deps: SetWebhookDeps): SetWebhook {
  const { audit, hosts, clock, baseUrl } = deps;
  return async (request) => {
    const repo = await findAdministeredRepo(deps, request);
    const { service, name } = repo;
    const provider = hosts.of(repo)?.provider;
    if (provider?.setWebhook === undefined)
      throw new Failure('payload-invalid', `This server cannot make the webhook of a ${service} repo.`);
    const address = `${baseUrl()}/hooks/${service}`;
    const result = await provider.setWebhook({ repo: name, address }).catch((error: unknown) => {
      throw error instanceof ProviderFailure ? ofProviderFailure(error) : error;
    });
    const after = { address, result };
    await audit.record(auditBy(request.caller, { action: 'webhook.set', at: clock.now(), repo, after }));
    return { result, address };
  };
}
