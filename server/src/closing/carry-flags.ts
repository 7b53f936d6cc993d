import type { CarriedPick } from '../core/builds/build.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import { type Answer, answerOf, refusalOf } from '../hosts/facts/ask-provider.ts';
import type { ChangedCarried, EncodedCarried, EncodedComposition, Merger } from '../reports/report-engine.ts';
import type { JobStore } from '../storage/store.ts';
import type { CarriedFlag } from './choose-carried.ts';

/** Builds that flags are carried from and that the provider is asked about: each is a call or two. */
const MAX_ORIGINS = 20;

/** What changed since the builds that flags are carried from (rule 16): each is asked about once, of the first few. */
export async function askOrigins(
  carried: readonly CarriedFlag[],
  ask: (carried: CarriedFlag) => Promise<Answer<Diff>>,
) {
  const origins = [...new Map(carried.map((one) => [one.pick.buildId, one])).values()].slice(0, MAX_ORIGINS);
  const asked = origins.map(async (one) => [one.pick.buildId, await ask(one)] as const);
  const answers = new Map(await Promise.all(asked));
  return {
    diffOf: ({ buildId }: CarriedPick): Diff | undefined => answerOf(answers.get(buildId) ?? { kind: 'unavailable' }),
    unavailable: [...answers.values()].some(({ kind }) => kind === 'unavailable'),
    refusal: [...answers.values()].map(refusalOf).findLast((one) => one !== undefined),
  };
}

interface CarriedInto {
  readonly repoId: number;
  /** The build's own jobs that count, as composing takes them. */
  readonly jobs: EncodedComposition['jobs'];
  readonly carried: readonly CarriedFlag[];
  /** What changed from the commit of a pick to the build's, by the provider or by uploads; undefined: nobody knows. */
  readonly knownDiffOf: (pick: CarriedPick) => Diff | undefined;
  /** Whether nobody can be asked (TextsSince). */
  readonly assumesSame: boolean;
  readonly engine: Pick<Merger, 'findChangedCarried' | 'diffSources'>;
}

type Texts = Pick<JobStore, 'source'>;

/**
 * The carried flags of a build with what changed since they were uploaded, as composing takes them (rule 16). Stored
 * texts go before the provider's compare: they are what was measured, on both sides.
 */
export async function diffCarried(
  texts: Texts,
  { repoId, jobs, carried, knownDiffOf, assumesSame, engine }: CarriedInto,
): Promise<readonly EncodedCarried[]> {
  if (carried.length === 0) return [];
  const changed = await engine.findChangedCarried({
    jobs,
    carried: carried.map(({ pick, reports }) => ({ flag: pick.flag, reports })),
  });
  const ofTexts = diffTextsOnce(texts, engine, repoId);
  const found: EncodedCarried[] = [];
  for (const { pick, reports } of carried) {
    const files: FileDiff[] = [];
    // One after the other: texts may be large, and other closes wait for the same threads.
    for (const file of changed.filter(({ flag }) => flag === pick.flag)) {
      const diff = await ofTexts(file);
      if (diff !== undefined) files.push(diff);
    }
    found.push({ flag: pick.flag, reports, diff: overlay(files, knownDiffOf(pick)), assumesSame });
  }
  return found;
}

/**
 * The diff of a changed file by its stored texts; undefined if one is no longer stored. Flags of one origin
 * share most files.
 */
function diffTextsOnce(texts: Texts, engine: Pick<Merger, 'diffSources'>, repoId: number) {
  const known = new Map<string, Promise<FileDiff | undefined>>();
  const diff = async ({ name, from, to }: ChangedCarried): Promise<FileDiff | undefined> => {
    const old = await texts.source(repoId, from);
    const now = old && (await texts.source(repoId, to));
    return old && now && engine.diffSources({ name, from: old.bytes, to: now.bytes });
  };
  return (file: ChangedCarried): Promise<FileDiff | undefined> => {
    const key = `${file.from} ${file.to} ${file.name}`;
    const found = known.get(key) ?? diff(file);
    known.set(key, found);
    return found;
  };
}

/** What the provider says of a file whose texts were compared is left out. */
function overlay(files: readonly FileDiff[], provider: Diff | undefined): Diff | undefined {
  if (files.length === 0) return provider;
  const compared = new Set(files.map(({ name }) => name));
  const others = provider?.files.filter(({ name }) => !compared.has(normalizeFileName(name))) ?? [];
  return { files: [...files, ...others], complete: provider?.complete ?? false };
}
