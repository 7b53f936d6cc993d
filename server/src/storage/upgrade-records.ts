import type { Delivery } from '../core/announce/delivery.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import { type ClosedBy, type DueTask, type LandingTask, withTask } from '../core/builds/due-tasks.ts';
import type { Timestamp } from '../core/time.ts';

/** What a build's record of 0.1.0 had where `due`, `missingBases` and `changesUnknownSince` are now. */
interface EarlierFields {
  readonly closeDue?: { readonly by: ClosedBy; readonly at: Timestamp };
  readonly closeAt?: Timestamp;
  readonly openingDue?: boolean;
  readonly revisitAt?: Timestamp;
  readonly backfillDue?: boolean;
  readonly landingDue?: Omit<LandingTask, 'kind'>;
  readonly wants?: readonly string[];
  readonly result?: (BuildResult & { readonly changesLackSince?: Timestamp }) | undefined;
}

/** A build's record as 0.1.0 wrote it, in today's shape; one of today's shape is answered as it is. */
export function upgradeBuild(stored: object): Build {
  if ('due' in stored) return stored as Build;
  const { closeDue, closeAt, openingDue, revisitAt, backfillDue, landingDue, wants, result, ...kept } =
    stored as EarlierFields & Omit<Build, 'due' | 'missingBases' | 'result'>;
  return {
    ...kept,
    due: dueOf(stored as EarlierFields & Build),
    ...(wants === undefined ? {} : { missingBases: wants }),
    result: result && upgradeResult(result),
  };
}

function dueOf(build: EarlierFields & Omit<Build, 'result'>): readonly DueTask[] {
  const { state, lastJobAt, result, closeDue, closeAt, openingDue, revisitAt, backfillDue, landingDue } = build;
  const isOpen = state === 'open';
  const tasks: readonly (DueTask | false | undefined)[] = [
    isOpen && closeDue && { kind: 'close', by: closeDue.by, at: closeDue.at },
    isOpen && closeAt !== undefined && { kind: 'deadline', at: closeAt },
    !isOpen && revisitAt !== undefined && { kind: 'revisit', at: revisitAt },
    openingDue === true && { kind: 'post-pending', at: lastJobAt },
    backfillDue === true && { kind: 'backfill', at: result?.closedAt ?? lastJobAt },
    landingDue && { kind: 'landing', ...landingDue },
  ];
  return tasks.reduce<readonly DueTask[]>((due, task) => withTask(due, task || undefined), []);
}

function upgradeResult({ changesLackSince, ...result }: NonNullable<EarlierFields['result']>): BuildResult {
  return changesLackSince === undefined ? result : { ...result, changesUnknownSince: changesLackSince };
}

/** The owner of a status, as 0.1.0 named it. */
interface EarlierOwner {
  readonly speaker?: Delivery['statusOwner'];
}

/** A delivery's record, or a message that waits, as 0.1.0 wrote it, in today's shape. */
export function upgradeOwner<T extends object>(stored: T): Omit<T, 'speaker'> & Pick<Delivery, 'statusOwner'> {
  const { speaker: owner, ...kept } = stored as T & EarlierOwner & Pick<Delivery, 'statusOwner'>;
  return { ...kept, statusOwner: kept.statusOwner ?? owner };
}
