import { setTimeout as sleep } from 'node:timers/promises';
import type { SendUntilAnswered } from './chaos-client.ts';
import type { ChaosStore, Deployment } from './deployment.ts';
import type { Plan } from './plan.ts';
import type { Disturbance } from './plan-disturbances.ts';
import { addFindings, type Tally } from './tally.ts';

export interface RunPlanDeps {
  readonly send: SendUntilAnswered;
  readonly deployment: Deployment;
  readonly store: ChaosStore;
  readonly clients: number;
  readonly tally: Tally;
  /** Called once everybody is up again after the last kill; requests may still be in progress. */
  readonly onCalm: () => Promise<void>;
}

/** Sends everything while servers and primaries are killed. Resolves when all is answered and everybody is up again. */
export async function runPlan(deps: RunPlanDeps, plan: Plan): Promise<void> {
  const begin = performance.now();
  const over = new AbortController();
  const disturbing = disturb(deps, plan.disturbances, { begin, over: over.signal }).then(deps.onCalm);
  await sendAll(deps, plan, begin);
  over.abort();
  await disturbing;
}

/**
 * Clients take requests in the order of the plan, each as soon as it is free. What a request waits for stands before
 * it, so somebody is at it already.
 */
async function sendAll({ send, clients }: RunPlanDeps, { requests }: Plan, begin: number): Promise<void> {
  const answered = new Map(requests.map(({ name }) => [name, Promise.withResolvers<void>()]));
  let next = 0;
  const client = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      await Promise.all(request.after.map((name) => answered.get(name)?.promise));
      await sleep(Math.max(0, begin + request.at - performance.now()));
      await send(request);
      answered.get(request.name)?.resolve();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** One primary at a time is down: two of three members are needed for a majority. */
async function disturb(
  { deployment, store, tally }: RunPlanDeps,
  disturbances: readonly Disturbance[],
  { begin, over }: { readonly begin: number; readonly over: AbortSignal },
): Promise<void> {
  const repairs: Promise<void>[] = [];
  let primary = Promise.resolve();
  for (const disturbance of disturbances) {
    await sleep(Math.max(0, begin + disturbance.at - performance.now()), undefined, { signal: over }).catch(
      () => undefined,
    );
    if (over.aborted) break;
    if (disturbance.victim === 'server') {
      repairs.push(told(tally, loseServer(deployment, disturbance, tally)));
    } else if (store.kind === 'mongodb' && store.killPrimary !== undefined) {
      const { killPrimary } = store;
      primary = told(
        tally,
        primary.then(() => losePrimary(killPrimary, disturbance.downFor, tally)),
      );
      repairs.push(primary);
    }
  }
  await Promise.all(repairs);
}

/** A failed repair is a finding; the round continues to its end with what is left. */
async function told(tally: Tally, repair: Promise<void>): Promise<void> {
  await repair.catch((error: unknown) => addFindings(tally, [`not up again after a kill: ${error}`]));
}

async function loseServer(
  deployment: Deployment,
  { index, downFor }: Extract<Disturbance, { readonly victim: 'server' }>,
  tally: Tally,
): Promise<void> {
  if (await deployment.killServer(index, downFor)) tally.serverKills += 1;
}

async function losePrimary(
  killPrimary: () => Promise<{ restart(): Promise<void> }>,
  downFor: number,
  tally: Tally,
): Promise<void> {
  const killed = await killPrimary();
  tally.primaryKills += 1;
  await sleep(downFor);
  await killed.restart();
}
