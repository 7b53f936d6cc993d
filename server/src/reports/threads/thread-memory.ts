import type { ThreadMemory } from '../../platform/metrics.ts';
import type { LatePool } from './late-pool.ts';

/** The memory of a pool's threads. One that is busy answers all the same; one that ends meanwhile is left out. */
export async function measureThreads(pool: Pick<LatePool, 'threads'>): Promise<ThreadMemory> {
  const asked = await Promise.allSettled(pool.threads.map((thread) => thread.getHeapStatistics()));
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const sum = (field: 'total_heap_size' | 'external_memory'): number =>
    found.reduce((bytes, one) => bytes + one[field], 0);
  return { threads: found.length, heap: sum('total_heap_size'), external: sum('external_memory') };
}
