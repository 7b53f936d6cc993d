import { reevaluateDependents } from '../closing/reevaluate-dependents.ts';
import type { Build } from '../core/builds/build.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import { type Caller, mayAdminister, mayRead, nameOf } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

export interface ExcludeBaseInput {
  readonly caller: Caller;
  /** A build's id. */
  readonly reference: string;
  readonly excluded: boolean;
}

/**
 * Takes a build out of the bases, or takes that back, so that no verdict rests on a report that was wrong. Builds that
 * have it as base, or looked for it without success, are evaluated again (rule 20). A repeated request completes one
 * that was cut off. Throws a Failure `not-found` or `forbidden`.
 */
export async function excludeBase(
  services: Pick<Services, 'builds' | 'clock' | 'resolveAccess' | 'onDue' | 'repos'>,
  input: ExcludeBaseInput,
): Promise<Build> {
  const { builds, clock, onDue } = services;
  const { build, repo, user } = await findAdministered(services, input);
  const at = clock.now();
  const isSo = (build.excludedAsBase !== undefined) === input.excluded;
  const excluded = input.excluded ? { by: user, at } : undefined;
  const action = input.excluded ? 'base.excluded' : 'base.included';
  const audit = auditBy(input.caller, { action, at, repo, build: build.id });
  const revision = { kind: 'excluded-as-base', excluded } as const;
  const revised = isSo ? build : await builds.revise({ buildId: build.id, revision }, audit);
  if (revised === undefined) throw notFound(input.reference);
  await reevaluateDependents(services, revised);
  onDue();
  return revised;
}

/** The build of an id, for a caller who may administer its repo. */
export async function findAdministered(
  { builds, repos, resolveAccess }: Pick<Services, 'builds' | 'resolveAccess' | 'repos'>,
  { caller: asking, reference }: Pick<ExcludeBaseInput, 'caller' | 'reference'>,
): Promise<{ readonly build: Build; readonly repo: Repo; readonly user: string }> {
  const build = /^\d{1,15}$/.test(reference) ? await builds.find(Number(reference)) : undefined;
  const repo = build && (await repos.find(build.repoId));
  if (build === undefined || repo === undefined) throw notFound(reference);
  const caller = await resolveAccess(asking, [repo]);
  if (!mayRead(caller, repo)) throw notFound(reference);
  return { build, repo, user: administratorOf(repo, caller) };
}

function administratorOf(repo: Repo, caller: Caller): string {
  if (caller.kind === 'user' && mayAdminister(caller, repo)) return nameOf(caller);
  const sentence =
    `Builds of the ${repo.service} repo ${repo.name} can be read, but not changed, with these credentials: only ` +
    'its owner and administrators can change them.';
  throw new Failure('forbidden', sentence);
}

export function notFound(reference: string): Failure {
  return new Failure(
    'not-found',
    `There is no build ${quoteValue(reference, 40)} here that these credentials may see.`,
  );
}
