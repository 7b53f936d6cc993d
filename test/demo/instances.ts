import { randomBytes } from 'node:crypto';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import type { DemoDatabase } from './database.ts';

/** What the demo's servers keep their data in. */
export interface Storage {
  /** Undefined: each server has one SQLite file of its own, so there is only one. */
  readonly database: DemoDatabase | undefined;
  readonly instances: number;
}

/** Equal server processes on one store. */
export interface Instances {
  /** The one whose address is in links, as a load balancer's would be. */
  readonly first: ServerProcess;
  readonly all: readonly ServerProcess[];
  /** Another one than the last time, where there are several. */
  next(): { readonly server: ServerProcess; readonly number: number };
  dispose(): Promise<void>;
}

/** Starts them, the first one before the others: its address is the BASE_URL of all. */
export async function startInstances(env: Readonly<Record<string, string>>, storage: Storage): Promise<Instances> {
  const { database, instances } = storage;
  const key = randomBytes(32).toString('hex');
  const shared = database === undefined ? {} : { DATABASE_URL: database.url, SECRET_KEY: key };
  const first = await startServer({ env: { ...env, ...shared } });
  const all = [first];
  const dispose = async (): Promise<void> => {
    for (const server of all) await server.dispose();
  };
  try {
    while (all.length < instances) all.push(await startServer({ env: { ...env, ...shared, BASE_URL: first.url } }));
  } catch (error) {
    await dispose();
    throw error;
  }
  let steps = 0;
  const next: Instances['next'] = () => {
    const index = steps % all.length;
    steps += 1;
    return { server: all[index] ?? first, number: index + 1 };
  };
  return { first, all, next, dispose };
}
