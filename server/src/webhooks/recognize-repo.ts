import { quoteValue } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Host } from '../ports/host.ts';
import type { EventRepo, ProviderEvent } from '../ports/provider-events.ts';
import type { Services } from '../services/services.ts';

/** A repo of an event, and what the event changed about it, in short sentences. */
export interface Recognized {
  /** Undefined: this server does not have it. */
  readonly repo: Repo | undefined;
  readonly effects: readonly string[];
}

type RepoChange = Pick<Extract<ProviderEvent, { kind: 'repo-changed' }>, 'formerName' | 'hidden'>;

type Recognizing = Pick<Services, 'repos' | 'clock'>;

/**
 * The repo that an event of a host is about: by its numeric id, which outlives names, else by its name (or the one
 * before), to which the id is bound then. What the event says of the repo is followed unless it is old news; a name
 * that means another repo by now is suspended (rule 28).
 */
export async function recognizeRepo(
  services: Recognizing,
  host: Host,
  { seen, change = { formerName: undefined } }: { readonly seen: EventRepo; readonly change?: RepoChange },
): Promise<Recognized> {
  const { repos } = services;
  const { formerName, hidden } = change;
  const { service } = host;
  const known = await repos.findByProviderId(service, seen.id);
  if (known !== undefined && (isNews(known, seen) || (await isRename(services, known, { ...seen, formerName }))))
    return follow(services, host, { repo: known, seen });
  if (known !== undefined) return hidden === true ? hide(services, host, known) : { repo: known, effects: [] };
  const named = await repos.findByName(service, seen.name);
  if (named !== undefined && named.providerId !== undefined) return suspendOther(services, host, { named, seen });
  const former = formerName === undefined ? undefined : await repos.findByName(service, formerName);
  const meant = named ?? (former?.providerId === undefined ? former : undefined);
  return meant === undefined ? { repo: undefined, effects: [] } : follow(services, host, { repo: meant, seen });
}

/**
 * Events are repeated and come in any order: of two that differ, the host's own time of change decides. Never our time,
 * since the host's clock may be behind.
 */
function isNews(repo: Pick<Repo, 'seen' | 'name'>, { name, described }: EventRepo): boolean {
  if (described === undefined) return repo.name !== name;
  return repo.seen?.changedAt === undefined || described.changedAt > repo.seen.changedAt;
}

/** It follows on the name that is known: news also if the host changed something else in the same second. */
async function isRename(
  { repos }: Recognizing,
  known: Repo,
  { name, formerName, described }: EventRepo & Pick<RepoChange, 'formerName'>,
): Promise<boolean> {
  const isSameTime = described !== undefined && described.changedAt === known.seen?.changedAt;
  return isSameTime && formerName === known.name && (await repos.findByName(known.service, name)) === undefined;
}

async function follow(
  services: Recognizing,
  host: Host,
  { repo, seen }: { readonly repo: Repo; readonly seen: EventRepo },
): Promise<Recognized> {
  const { repos, clock } = services;
  const { described } = seen;
  const more = described && {
    seen: {
      defaultBranch: described.defaultBranch,
      visibility: described.visibility,
      at: described.changedAt,
      changedAt: described.changedAt,
    },
    // It is there, by the id that it always had.
    suspended: null,
  };
  const change = { repoId: repo.id, providerId: seen.id, ...more, at: clock.now() };
  const named = await repos.follow({ ...change, name: seen.name });
  if (named !== 'name-taken')
    return { repo: named, effects: named === undefined ? [] : describeChange(host, repo, named) };
  // Two of our repos would have one name: this one keeps the name that it was made with, under which the host still
  // finds it.
  const followed = await repos.follow(change);
  const kept = typeof followed === 'object' ? followed : undefined;
  const other = await repos.findByName(host.service, seen.name);
  const suspended =
    other?.providerId === undefined ? [] : (await suspendOther(services, host, { named: other, seen })).effects;
  return { repo: kept, effects: [...(kept === undefined ? [] : describeChange(host, repo, kept)), ...suspended] };
}

/**
 * An event that seems out of date hides the repo anyway, since two changes may bear the same second. The next answer of
 * the host decides.
 */
async function hide({ repos, clock }: Recognizing, host: Host, repo: Repo): Promise<Recognized> {
  if (repo.seen === undefined || repo.seen.visibility === 'private') return { repo, effects: [] };
  const followed = await repos.follow({
    repoId: repo.id,
    seen: { ...repo.seen, visibility: 'private' },
    at: clock.now(),
  });
  const hidden = typeof followed === 'object' ? followed : undefined;
  return { repo: hidden, effects: hidden === undefined ? [] : describeChange(host, repo, hidden) };
}

/** Rule 28: the name of a repo means another one now. */
async function suspendOther(
  { repos, clock }: Recognizing,
  { name: hostName }: Host,
  { named, seen }: { readonly named: Repo; readonly seen: EventRepo },
): Promise<Recognized> {
  const meaning = `another repo at ${hostName} (id ${seen.id}, not ${named.providerId})`;
  const suspended = `The name ${seen.name} now belongs to ${meaning}.`;
  if (named.suspended !== undefined || !isNews(named, seen)) return { repo: undefined, effects: [] };
  await repos.follow({ repoId: named.id, whileNamed: named.name, suspended, at: clock.now() });
  return { repo: undefined, effects: [`the repo ${quoteValue(named.name)} is suspended`] };
}

function describeChange(host: Host, before: Repo, after: Repo): readonly string[] {
  const effects: string[] = [];
  if (before.providerId === undefined) effects.push(`the repo is bound to the id ${after.providerId}`);
  if (before.name !== after.name) effects.push(renamed(quoteValue(after.name)));
  if (before.seen?.defaultBranch !== after.seen?.defaultBranch)
    effects.push(`its default branch is ${quoteValue(after.seen?.defaultBranch)}`);
  if (before.seen?.visibility !== after.seen?.visibility)
    effects.push(`at ${host.name} it is ${after.seen?.visibility}`);
  if (before.suspended !== after.suspended) effects.push('it is suspended no more');
  return effects;
}

export function renamed(name: string): string {
  return `the repo is called ${name} now`;
}
