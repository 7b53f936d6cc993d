import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { Failure } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import { ProviderFailure, type WebhookChange } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';

/** Has the repo's git host send its events here: makes the webhook, or repairs the one that is there. */
export async function setWebhook(
  services: Pick<Services, 'audit' | 'baseUrl' | 'clock' | 'hosts' | 'resolveAccess' | 'repos'>,
  request: RepoRequest,
): Promise<{ readonly result: WebhookChange; readonly address: string }> {
  const { audit, hosts, clock, baseUrl } = services;
  const repo = await findAdministeredRepo(services, request);
  const { service, name } = repo;
  const provider = hosts.of(repo)?.provider;
  if (provider?.setWebhook === undefined)
    throw new Failure('payload-invalid', `This server cannot create the webhook of a ${service} repo.`);
  const address = `${baseUrl()}/hooks/${service}`;
  const result = await provider.setWebhook({ repo: name, address }).catch((error: unknown) => {
    throw error instanceof ProviderFailure ? ofProviderFailure(error) : error;
  });
  const after = { address, result };
  await audit.record(auditBy(request.caller, { action: 'webhook.set', at: clock.now(), repo, after }));
  return { result, address };
}

/** What a git host answered to what somebody asked for here. */
export function ofProviderFailure(error: ProviderFailure): Failure {
  return new Failure(error.kind === 'permanent' ? 'payload-invalid' : 'unavailable', error.message, { cause: error });
}
