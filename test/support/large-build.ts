import type { Build, FlagResult } from '../../server/src/core/builds/build.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { aFlag, aResult, facts, totals } from './records.ts';

export interface LargeBuild {
  readonly flags: number;
  /** As many of the last flags fail. */
  readonly failing?: number;
  readonly jobs: number;
  /** Its service_number; 71 by default. */
  readonly number?: string;
  /** Encoded; default: none that could be read. */
  readonly report?: Uint8Array;
  /** The name of the flag of that number, from 1. */
  readonly name?: (number: number) => string;
}

/** A closed build with this many flags and jobs, straight into the store. */
export async function putLargeBuild(store: Store, repoId: number, large: LargeBuild): Promise<Build> {
  const { flags, failing = 0, jobs, number: serviceNumber = '71', report, name = (number) => `flag-${number}` } = large;
  const at = Date.now();
  let build: Build | undefined;
  for (let number = 1; number <= jobs; number += 1) {
    const accepted = await store.jobs.accept({
      repoId,
      facts: facts({ branch: 'main', serviceNumber, flag: name(number), serviceJobId: `job-${number}` }),
      totals: totals(80, 100),
      files: 1,
      contentDigest: number.toString(16).padStart(64, '0'),
      warnings: number === jobs ? ['The last job is odd.'] : [],
      report: new Uint8Array(),
      sources: [],
      periods: { quiet: 3_600_000, late: 3_600_000 },
      at,
      bytes: 100,
      limits: { bytesPerDay: 0, openBuilds: 0, refusal: undefined },
    });
    build = accepted?.build;
  }
  if (build === undefined) throw new Error('the repo is gone');
  const results = Array.from({ length: flags }, (_, index) =>
    index < flags - failing ? aFlag(name(index + 1)) : failingFlag(name(index + 1)),
  );
  return closeWith(store, build, results, report);
}

function failingFlag(name: string): FlagResult {
  const base = { number: '70', totals: totals(90, 100) };
  const reason = {
    kind: 'measured',
    totals: totals(80, 100),
    findings: [{ kind: 'decrease', passes: false, base }],
  } as const;
  const verdict = { state: 'failure', rule: 'no-decrease', reason } as const;
  return aFlag(name, { baseTotals: base.totals, verdict });
}

async function closeWith(
  store: Store,
  build: Build,
  flags: readonly FlagResult[],
  report: Uint8Array = new Uint8Array(),
): Promise<Build> {
  const { id: buildId, revision, sequence, trust } = build;
  const closed = await store.builds.close({
    buildId,
    revision,
    result: aResult({ flags }),
    report,
    target: build.target,
    openedContexts: [],
    messages: [],
    statusOwner: { buildId, sequence, trust, pullRequest: undefined },
    at: Date.now(),
  });
  if (closed === undefined) throw new Error('the build has moved on');
  return closed;
}
