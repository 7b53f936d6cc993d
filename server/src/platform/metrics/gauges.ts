import { Gauge, type Registry } from 'prom-client';
import type { Timestamp } from '../../core/time.ts';
import type { StoreMeasure } from '../../storage/store-measure.ts';
import type { QueueLoad, ThreadMemory } from '../metrics.ts';

/** What was read for one scrape. Undefined: it could not be read in time. */
export interface Measured {
  readonly at: Timestamp;
  readonly queues: readonly QueueLoad[];
  readonly threads: ThreadMemory | undefined;
  readonly store: StoreMeasure | undefined;
}

/** The metrics that are read when they are asked for, in a registry. Answers how they are set. */
export function createGauges(registry: Registry): (measured: Measured) => void {
  const clears: (() => void)[] = [];
  const gauge = (name: string, help: string, ...labelNames: string[]): Gauge => {
    const made = new Gauge({ name: `coverage_${name}`, help, labelNames, registers: [registry] });
    // The reset of one without labels leaves a 0, which would be taken for a value.
    clears.push(labelNames.length === 0 ? () => made.remove() : () => made.reset());
    return made;
  };
  const measured = gauge('measured', '1: the metrics of this part are current; 0: it did not answer.', 'part');
  const waiting = gauge('tasks_waiting', 'Tasks that are waiting for a thread.', 'lane');
  const running = gauge('tasks_running', 'Tasks that threads are working on.', 'lane');
  const setThreads = createThreadGauges(gauge);
  const setStore = createStoreGauges(gauge);
  return ({ at, queues, threads, store }) => {
    for (const clear of clears) clear();
    for (const load of queues) {
      waiting.set({ lane: load.queue }, load.waiting);
      running.set({ lane: load.queue }, load.running);
    }
    measured.set({ part: 'threads' }, Number(threads !== undefined));
    measured.set({ part: 'store' }, Number(store !== undefined));
    if (threads !== undefined) setThreads(threads);
    if (store !== undefined) setStore(store, at);
  };
}

type MakeGauge = (name: string, help: string, ...labelNames: string[]) => Gauge;

function createThreadGauges(gauge: MakeGauge): (memory: ThreadMemory) => void {
  const count = gauge('threads', 'Threads that read and merge reports.');
  const memory = gauge('thread_memory_bytes', 'Memory of those threads, inside and outside their heaps.', 'kind');
  return ({ threads, heap, external }) => {
    count.set(threads);
    memory.set({ kind: 'heap' }, heap);
    memory.set({ kind: 'external' }, external);
  };
}

function createStoreGauges(gauge: MakeGauge): (store: StoreMeasure, at: Timestamp) => void {
  const builds = gauge('builds', 'Builds with pending work.', 'state');
  const oldestBuild = gauge('builds_oldest_due_seconds', 'How long the oldest build with pending work has waited.');
  const messages = gauge('outbox_messages', 'Messages to git hosts that are not delivered yet.', 'provider', 'state');
  const oldest = gauge(
    'outbox_oldest_unsent_seconds',
    'How long the oldest undelivered message has waited.',
    'provider',
  );
  const size = gauge('database_size_bytes', 'Size of the database.');
  const free = gauge('database_disk_free_bytes', 'Free bytes on the disk of the database.');
  const age = (at: Timestamp, since: Timestamp): number => Math.max(0, at - since) / 1_000;
  return (store, at) => {
    for (const [state, count] of Object.entries(store.builds)) builds.set({ state: state.replace('-', '_') }, count);
    oldestBuild.set(store.oldestDueAt === undefined ? 0 : age(at, store.oldestDueAt));
    for (const { service: provider, waiting, givenUp, oldestAt } of store.outbox) {
      messages.set({ provider, state: 'waiting' }, waiting);
      messages.set({ provider, state: 'given_up' }, givenUp);
      oldest.set({ provider }, oldestAt === undefined ? 0 : age(at, oldestAt));
    }
    if (store.bytes !== undefined) size.set(store.bytes);
    if (store.freeDisk !== undefined) free.set(store.freeDisk);
  };
}
