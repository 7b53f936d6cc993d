import type { CounterName } from '../table.ts';
import type { Collections } from './documents.ts';

/** Gives the next number of a counter, from 1; none is given twice, some are never used. */
export type NextId = (counter: CounterName) => Promise<number>;

/** Jobs are many: each instance takes their ids by the block. */
const BLOCK = 50;

/** Binds the counters of one database. */
export function createCounters({ counters }: Collections): NextId {
  const take = async (name: CounterName, count: number): Promise<number> => {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    );
    return (counter?.value ?? 0) - count + 1;
  };
  let block: Promise<number> | undefined;
  let used = 0;
  const nextJob = async (): Promise<number> => {
    if (block === undefined || used === BLOCK) {
      used = 0;
      block = take('job', BLOCK);
      block.catch(() => {
        block = undefined;
      });
    }
    const offset = used;
    used += 1;
    return (await block) + offset;
  };
  return (name) => (name === 'job' ? nextJob() : take(name, 1));
}
