import type { ChaosHost } from './chaos-host.ts';
import { type PlannedBuild, planBuilds } from './plan-builds.ts';
import { type Disturbance, planDisturbances } from './plan-disturbances.ts';
import { type PlannedRequest, planRequests } from './plan-requests.ts';
import { seededRandom } from './random.ts';
import type { RoundSize } from './round-size.ts';

/** All that is to happen in a round. */
export interface Plan {
  readonly builds: readonly PlannedBuild[];
  /** In the order in which clients take them. */
  readonly requests: readonly PlannedRequest[];
  /** In the order of their times. */
  readonly disturbances: readonly Disturbance[];
}

/** The same seed and size give the same plan; what servers and clients make of it depends on the machine. */
export function makePlan(seed: number, size: RoundSize, host: Pick<ChaosHost, 'testsMerges'>): Plan {
  const random = seededRandom(seed);
  const builds = planBuilds(random, size, host);
  return { builds, requests: planRequests(random, builds, size), disturbances: planDisturbances(random, size) };
}
