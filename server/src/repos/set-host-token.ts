import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { Failure } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Host } from '../ports/host.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';
import { ofProviderFailure } from './set-webhook.ts';

/** What can be in a header; anything else is no token of any host. */
const FORM = /^[\x21-\x7e]{8,2000}$/;

/** Gives a repo a token of its own at its git host, if the host shows the repo to it; undefined takes it away. */
export async function setHostToken(
  services: Services,
  asked: RepoRequest & { readonly token: string | undefined },
): Promise<void> {
  const { repos, outbox, hosts, secrets, clock, secretTexts, onResumed } = services;
  const { token, ...request } = asked;
  const repo = await findAdministeredRepo(services, request);
  const at = clock.now();
  if (token === undefined) {
    const audit = auditBy(request.caller, { action: 'host-token.removed', at, repo });
    await repos.setHostToken({ repoId: repo.id, token: undefined }, audit);
    return;
  }
  if (!FORM.test(token))
    throw new Failure('payload-invalid', 'A token has 8 to 2,000 ASCII characters, without spaces.');
  secretTexts.learn([token]);
  secrets.requireKey();
  const host = hosts.of(repo);
  await tryToken(host?.withToken?.(token), repo.name);
  const audit = auditBy(request.caller, { action: 'host-token.set', at, repo });
  if (!(await repos.setHostToken({ repoId: repo.id, token: { sealed: secrets.sealText(token), at } }, audit)))
    throw repoNotFound(request.address);
  await outbox.resume(at);
  onResumed();
}

/** Throws a Failure for one that the host refuses, that lacks a right, or that does not see the repo. */
async function tryToken(host: Host | undefined, name: string): Promise<void> {
  if (host?.provider === undefined)
    throw new Failure('payload-invalid', 'Repos of this service cannot have their own token on this server.');
  try {
    const { signIn } = await host.checkUp();
    if (signIn.kind === 'refused') throw new Failure('payload-invalid', signIn.why);
    if (signIn.kind === 'token' && signIn.missing.length > 0)
      throw new Failure('payload-invalid', `The token lacks ${signIn.missing.join(', ')}.`);
    if ((await host.provider.describeRepo({ repo: name })) !== undefined) return;
  } catch (error) {
    throw error instanceof ProviderFailure ? ofProviderFailure(error) : error;
  }
  throw new Failure('payload-invalid', `${host.name} does not show ${name} to this token.`);
}
