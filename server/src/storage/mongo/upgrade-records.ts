import { dueAt } from '../../core/builds/due-tasks.ts';
import { upgradeBuild, upgradeOwner } from '../upgrade-records.ts';
import type { Collections } from './documents.ts';
import { assign, claimable, toDate } from './server-time.ts';

/**
 * Step 2: one list of due tasks in a build, and the owner of a status by that name. Each document is one conditional
 * write, so the step may be cut off and taken again.
 */
export async function upgradeRecords({ builds, deliveries }: Collections): Promise<void> {
  const earlier = { record: { $exists: true }, 'record.due': { $exists: false } };
  for await (const { _id, record, owed: effects } of builds.find(earlier)) {
    if (record === undefined) continue;
    const build = upgradeBuild(record);
    const pending = effects?.map(({ announce, ...rest }) => ({
      ...rest,
      ...(announce && { announce: upgradeOwner(announce) }),
    }));
    const fields = { record: build, dueAt: toDate(dueAt(build)), ...(pending && { owed: pending }) };
    await builds.updateOne({ _id, 'record.revision': build.revision, 'record.due': { $exists: false } }, [
      assign(fields),
      claimable('dueAt'),
    ]);
  }
  for await (const { _id, version, record } of deliveries.find({ 'record.speaker': { $exists: true } })) {
    await deliveries.updateOne({ _id, version }, [assign({ record: upgradeOwner(record) })]);
  }
}

/** Step 3: a tag's builds are found by it (rule 18). */
export async function addTagScopes({ builds }: Collections): Promise<void> {
  const ofTags = {
    scope: { $exists: false },
    'record.tag': true,
    'record.mergeQueue': false,
    'record.branch': { $type: 'string' },
    'record.pullRequest': { $exists: false },
    'record.landed': { $exists: false },
    'record.trust': { $ne: 'run' },
  } as const;
  await builds.updateMany(ofTags, [{ $set: { scope: { $concat: ['tag:', '$record.branch'] } } }]);
}
