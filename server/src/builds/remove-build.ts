import { reevaluateDependents } from '../closing/reevaluate-dependents.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import { findAdministered, notFound } from './exclude-base.ts';

/**
 * Removes one build. It is taken out of the bases before, so that builds that have it as their base are evaluated
 * again (rule 20); a repeated request completes one that was cut off. Its statuses stay as they were announced last.
 * Throws a Failure `not-found` or `forbidden`.
 */
export async function removeBuild(
  services: Pick<Services, 'builds' | 'clock' | 'resolveAccess' | 'onDue' | 'repos'>,
  input: { readonly caller: Caller; readonly reference: string },
): Promise<void> {
  const { builds, clock, onDue } = services;
  const { build, repo, user } = await findAdministered(services, input);
  const excluded = build.excludedAsBase ?? { by: user, at: clock.now() };
  const revision = { kind: 'excluded-as-base', excluded } as const;
  const revised = await builds.revise({ buildId: build.id, revision });
  if (revised !== undefined) await reevaluateDependents(services, revised);
  const { id, number } = build;
  const audit = auditBy(input.caller, {
    action: 'build.removed',
    at: clock.now(),
    repo,
    build: id,
    before: { number },
  });
  if (!(await builds.remove(id, audit))) throw notFound(input.reference);
  onDue();
}
