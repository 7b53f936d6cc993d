import { newestBuilds } from '../builds/newest-builds.ts';
import { quoteValue } from '../core/failure.ts';
import type { AccessLost, Repo } from '../core/repo/repo.ts';
import { findNameProblem } from '../core/repo/repo-name.ts';
import type { Host } from '../ports/host.ts';
import type { EventRepo, GainedAccess, ProviderEvent } from '../ports/provider-events.ts';
import type { Services } from '../services/services.ts';
import { type Recognized, renamed as renamedText } from './recognize-repo.ts';

/** For a repo's builds, the newest that are looked at. */
const RECENT = 200;

type LostEvent = Extract<ProviderEvent, { kind: 'access-lost' }>;
type RenamedEvent = Extract<ProviderEvent, { kind: 'owner-renamed' }>;

type Access = Pick<Services, 'repos' | 'outbox' | 'builds' | 'clock' | 'onResumed' | 'onDue'>;

/**
 * Repos of a host that the App that this server signs in as may not reach any more. They take uploads as before, and
 * say since when nothing can be announced. Events of other Apps change nothing, here and below.
 */
export async function loseAccess(
  services: Access,
  host: Host,
  { repos, lost, how }: LostEvent,
): Promise<readonly Recognized[]> {
  if (lost.appId !== host.app?.id) return [];
  host.app.forgetInstallation(lost.installation);
  const found = [];
  for (const seen of repos) found.push(await findSeen(services, host, seen));
  const concerned = await withOwners(services, { host, owner: lost.owner, listed: found });
  return inTurn(concerned, (repo) => markAccessLost(services, repo, { appId: lost.appId, how }));
}

/** Besides those of the owner, `listed` are concerned: repos of ours. What was given up is tried again. */
export async function gainAccess(
  services: Access,
  host: Host,
  { access, listed }: { readonly access: GainedAccess | undefined; readonly listed: readonly Repo[] },
): Promise<readonly Recognized[]> {
  if (access === undefined || access.appId !== host.app?.id) return [];
  host.app.forgetInstallation(access.installation);
  const concerned = await withOwners(services, { host, owner: access.owner, listed });
  const gained = await inTurn(concerned, (repo) => restoreAccess(services, repo, access));
  services.onResumed();
  services.onDue();
  return gained;
}

/**
 * Repos follow their owner's new name; one whose new name is taken keeps the old one, under which the host finds it.
 */
export async function renameOwner(
  services: Access,
  { service, app }: Host,
  event: RenamedEvent,
): Promise<readonly Recognized[]> {
  if (event.appId === undefined || event.appId !== app?.id) return [];
  const concerned = await services.repos.ofOwner(service, event.from);
  const renamed = await inTurn(concerned, (repo) => rename(services, repo, event.to));
  // A repeated event finds the new names already.
  const there = await services.repos.ofOwner(service, event.to);
  return [...renamed, ...there.map((repo) => ({ repo, effects: [] }))];
}

/** One of ours, by the id that outlives names, else by its name if no id is known. */
async function findSeen({ repos }: Access, { service }: Host, { id, name }: EventRepo): Promise<Repo | undefined> {
  const known = await repos.findByProviderId(service, id);
  if (known !== undefined) return known;
  const named = await repos.findByName(service, name);
  return named?.providerId === undefined ? named : undefined;
}

async function withOwners(
  { repos }: Access,
  concerned: {
    readonly host: Host;
    readonly owner: string | undefined;
    readonly listed: readonly (Repo | undefined)[];
  },
): Promise<readonly Repo[]> {
  const { host, owner, listed } = concerned;
  const ofOwner = owner === undefined ? [] : await repos.ofOwner(host.service, owner);
  const all = [...listed, ...ofOwner].filter((repo) => repo !== undefined);
  return [...new Map(all.map((repo) => [repo.id, repo])).values()];
}

async function inTurn(
  concerned: readonly Repo[],
  follow: (repo: Repo) => Promise<readonly string[]>,
): Promise<readonly Recognized[]> {
  const recognized = [];
  for (const repo of concerned) recognized.push({ repo, effects: await follow(repo) });
  return recognized;
}

/** A greater loss is not ended by the end of a smaller one, so the greater one is what is remembered. */
const RANKS: Readonly<Record<AccessLost['how'], number>> = { suspended: 1, deselected: 2, uninstalled: 3 };

async function markAccessLost(
  { repos, clock }: Access,
  repo: Repo,
  lost: Omit<AccessLost, 'at'>,
): Promise<readonly string[]> {
  const known = repo.accessLost;
  if (known?.appId === lost.appId && RANKS[known.how] >= RANKS[lost.how]) return [];
  const at = clock.now();
  await repos.follow({ repoId: repo.id, accessLost: { ...lost, at }, at });
  return [`the App may not reach ${quoteValue(repo.name)} any more (${lost.how})`];
}

async function restoreAccess(services: Access, repo: Repo, { ends }: GainedAccess): Promise<readonly string[]> {
  const { repos, outbox, clock } = services;
  const at = clock.now();
  const { accessLost } = repo;
  const isBack = accessLost !== undefined && ends.includes(accessLost.how);
  if (isBack) await repos.follow({ repoId: repo.id, accessLost: null, at });
  // Also what was refused before the loss was reported, or for a permission that is granted now.
  await outbox.resume(at, repo.id);
  await revisitProvisional(services, repo);
  return isBack ? [`the App may reach ${quoteValue(repo.name)} again`] : [];
}

/** Provisional verdicts are evaluated now, since their own time may never come. */
async function revisitProvisional({ builds, clock }: Access, repo: Repo): Promise<void> {
  for (const { id, result } of await newestBuilds(builds, { repoId: repo.id, limit: RECENT })) {
    if (result?.provisionalSince === undefined) continue;
    await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now(), renew: true } });
  }
}

async function rename({ repos, clock }: Access, repo: Repo, owner: string): Promise<readonly string[]> {
  const name = `${owner}${repo.name.slice(repo.name.indexOf('/'))}`;
  if (name === repo.name || findNameProblem(repo.service, name) !== undefined) return [];
  const followed = await repos.follow({ repoId: repo.id, name, at: clock.now() });
  return typeof followed === 'object' ? [renamedText(quoteValue(name))] : [];
}
