import type { CarriedPick } from '../domain/builds/build.ts';
import { normaliseFileName } from '../domain/coverage/file-name.ts';
import type { Diff, FileDiff } from '../domain/diff/file-diff.ts';
import type { ChangedCarried, EncodedCarried, EncodedComposition, ReportEngine } from '../ports/report-engine.ts';
import type { JobStore } from '../ports/store.ts';
import type { CarriedFlag } from './choose-carried.ts';

/** Builds that flags are carried from and that the provider is asked about: usually there is one. */
const MAX_ORIGINS = 5;

export interface DiffCarriedDeps {
  readonly jobs: Pick<JobStore, 'source'>;
  readonly engine: Pick<ReportEngine, 'findChangedCarried' | 'diffSources'>;
}

/** The carried flags of a build with what changed since they were uploaded, as composing takes them (rule 16). */
export type DiffCarried = (input: {
  readonly repoId: number;
  /** The build's own jobs that count, as composing takes them. */
  readonly jobs: EncodedComposition['jobs'];
  readonly carried: readonly CarriedFlag[];
  /**
   * The provider's diff from the commit of a pick to the build's; undefined where none can be had, above all where the
   * pick's commit is no ancestor of the build's (a provider compares with the merge base). Asked once per origin, of at
   * most five.
   */
  readonly providerDiffOf: (pick: CarriedPick) => Promise<Diff | undefined>;
}) => Promise<readonly EncodedCarried[]>;

/** Stored texts go before the provider's compare: they are what was measured, on both sides. */
export function createDiffCarried({ jobs: texts, engine }: DiffCarriedDeps): DiffCarried {
  return async ({ repoId, jobs, carried, providerDiffOf }) => {
    if (carried.length === 0) return [];
    const ofOrigin = askOnce(providerDiffOf);
    const changed = await engine.findChangedCarried({
      jobs,
      carried: carried.map(({ pick, reports }) => ({ flag: pick.flag, reports })),
    });
    const ofTexts = createDiffTexts({ jobs: texts, engine }, repoId);
    const found: EncodedCarried[] = [];
    for (const { pick, reports } of carried) {
      const files: FileDiff[] = [];
      // One after the other: texts may be large, and other closes wait for the same threads.
      for (const file of changed.filter(({ flag }) => flag === pick.flag)) {
        const diff = await ofTexts(file);
        if (diff !== undefined) files.push(diff);
      }
      found.push({ flag: pick.flag, reports, diff: overlay(files, await ofOrigin(pick)) });
    }
    return found;
  };
}

/**
 * The diff of a changed file by its stored texts; undefined where one is gone. Flags that share an origin share most
 * files too.
 */
function createDiffTexts({ jobs, engine }: DiffCarriedDeps, repoId: number) {
  const known = new Map<string, Promise<FileDiff | undefined>>();
  const diff = async ({ name, from, to }: ChangedCarried): Promise<FileDiff | undefined> => {
    const old = await jobs.source(repoId, from);
    const now = old && (await jobs.source(repoId, to));
    return old && now && engine.diffSources({ name, from: old.bytes, to: now.bytes });
  };
  return (file: ChangedCarried): Promise<FileDiff | undefined> => {
    const key = `${file.from} ${file.to} ${file.name}`;
    const found = known.get(key) ?? diff(file);
    known.set(key, found);
    return found;
  };
}

function askOnce(
  ask: (pick: CarriedPick) => Promise<Diff | undefined>,
): (pick: CarriedPick) => Promise<Diff | undefined> {
  const asked = new Map<number, Promise<Diff | undefined>>();
  return (pick) => {
    const known = asked.get(pick.buildId);
    if (known !== undefined) return known;
    const answer = asked.size < MAX_ORIGINS ? ask(pick) : Promise.resolve(undefined);
    asked.set(pick.buildId, answer);
    return answer;
  };
}

/** What the provider says of a file whose texts were compared is left out. */
function overlay(files: readonly FileDiff[], provider: Diff | undefined): Diff | undefined {
  if (files.length === 0) return provider;
  const compared = new Set(files.map(({ name }) => name));
  const others = provider?.files.filter(({ name }) => !compared.has(normaliseFileName(name))) ?? [];
  return { files: [...files, ...others], complete: provider?.complete ?? false };
}
