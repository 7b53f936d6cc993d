import type { Build } from '../core/builds/build.ts';
import type { AcceptedBy } from '../core/builds/build-facts.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import { findAdministered, notFound } from './exclude-base.ts';

export interface AcceptFailureInput {
  readonly caller: Caller;
  /** A build's id. */
  readonly reference: string;
  /** Undefined: what was accepted no longer is. */
  readonly reason: string | undefined;
  /** When the result was made that the caller saw; undefined: whatever it is now. */
  readonly closedAt?: Timestamp | undefined;
}

/**
 * Accepts what fails in a build, or takes that back. Statuses and comment follow with the evaluation that it makes due;
 * other builds are compared with it as before. Throws a Failure `not-found`, `forbidden` or `conflict`.
 */
export async function acceptFailure(
  services: Pick<Services, 'builds' | 'clock' | 'resolveAccess' | 'onDue' | 'repos'>,
  input: AcceptFailureInput,
): Promise<Build> {
  const { builds, clock, onDue } = services;
  const { reference, reason, closedAt } = input;
  const { build, repo, user: by } = await findAdministered(services, input);
  const at = clock.now();
  const revision =
    reason === undefined
      ? ({ kind: 'no-longer-accepted', at } as const)
      : ({ kind: 'accepted', by: { by, at, reason }, closedAt } as const);
  const audit = auditBy(input.caller, {
    action: reason === undefined ? 'failure.no-longer-accepted' : 'failure.accepted',
    at,
    repo,
    build: build.id,
    ...(build.acceptance !== undefined && { before: { reason: build.acceptance.reason } }),
    ...(reason !== undefined && { after: { reason } }),
  });
  const revised = await builds.revise({ buildId: build.id, revision }, audit);
  if (revised === undefined) throw notFound(reference);
  if (reason !== undefined && !isOf(revised, { by, at, reason })) throw refusal(revised, closedAt);
  onDue();
  return revised;
}

function isOf({ acceptance }: Build, { by, at, reason }: AcceptedBy): boolean {
  return acceptance?.by === by && acceptance.at === at && acceptance.reason === reason;
}

function refusal({ number, result }: Build, closedAt: Timestamp | undefined): Failure {
  const name = quoteValue(number, 40);
  const isOther = result !== undefined && closedAt !== undefined && result.closedAt !== closedAt;
  return new Failure(
    'conflict',
    isOther
      ? `Build ${name} has a newer result: look at its numbers, then accept these.`
      : `Build ${name} has no failed verdict, so there is nothing to accept.`,
  );
}
