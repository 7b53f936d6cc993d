import type { Quota } from '../../core/builds/job-limits.ts';
import type { CommandPrimitives, QuotaShare } from '../commands/primitives.ts';
import type { Connection } from './connection.ts';
import { isDuplicate } from './errors.ts';
import { tablesOf } from './table.ts';

/** Binds the quotas of one database. */
export function createQuotaRows(
  connection: Connection,
): Pick<CommandPrimitives<unknown, unknown>, 'takeQuotas' | 'giveBackQuotas'> {
  const { unverifiedUsage } = tablesOf(connection);
  const giveBack = async ({ quotas, bytes, day }: QuotaShare): Promise<void> => {
    await unverifiedUsage.updateAll({ _id: { $in: quotas.map(({ key }) => key) }, day }, { $inc: { bytes: -bytes } });
  };
  /** False: it is too small. */
  const take = async ({ key: _id, limit }: Quota, bytes: number, day: number): Promise<boolean> => {
    const room = { bytes: { $lte: limit - bytes } };
    if (await unverifiedUsage.update({ _id, day, ...room }, { $inc: { bytes } })) return true;
    await unverifiedUsage.remove({ day: { $lt: day } });
    await unverifiedUsage
      .update({ _id }, { $setOnInsert: { day, bytes: 0 } }, { upsert: true })
      .catch((error: unknown) => (isDuplicate(error) ? undefined : Promise.reject(error)));
    return unverifiedUsage.update({ _id, ...room }, { $inc: { bytes } });
  };
  return {
    async takeQuotas({ quotas, bytes, day }) {
      const taken = await Promise.all(quotas.map((quota) => take(quota, bytes, day)));
      const over = quotas.find((_, index) => taken[index] === false);
      if (over === undefined) return undefined;
      await giveBack({ quotas: quotas.filter((_, index) => taken[index]), bytes, day });
      return { quota: over, used: (await unverifiedUsage.one({ _id: over.key }))?.bytes ?? 0 };
    },
    giveBackQuotas: giveBack,
  };
}
