import type { Build } from '../core/builds/build.ts';
import { createDigestFilter, type DigestFilter, hashDigests } from '../core/digest-filter.ts';
import { Failure } from '../core/failure.ts';
import { UNNAMED_TEXT_AGE } from '../core/repo/retention.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { ReportReader } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';

/** What names texts. */
export type TextsNamed = Pick<Services, 'builds' | 'jobs' | 'sources' | 'transfers' | 'clock' | 'turn'> & {
  readonly reader: Pick<ReportReader, 'listTexts'>;
};

export interface TextsAsked {
  readonly repoId: number;
  readonly isTrial: boolean;
  /** How long a look through a repo's texts holds before another begins, in ms. */
  readonly textLooks: number;
}

const JOBS = 100;
/** How many are removed in one write. */
const AT_ONCE = 100;
/** Older than any digest. */
const START = '';

interface Look {
  readonly repoId: number;
  /**
   * A text that an upload named since stays, whatever is found: what is accepted while this continues is not looked at.
   */
  readonly before: number;
}

/**
 * Removes the source texts and diffs of a repo that no stored build names, once no upload has named them for a day.
 * Answers how many; `isTrial`: how many would go. In memory are some bits of each text, and one report. Throws a
 * Failure, and removes nothing, if a report cannot be read.
 */
export async function removeUnnamedTexts(
  services: TextsNamed,
  { repoId, isTrial, textLooks }: TextsAsked,
): Promise<number> {
  const { sources, clock, turn } = services;
  const at = clock.now();
  const removedBuilds = isTrial ? 0 : await sources.begin({ repoId, notAfter: at - textLooks, at });
  if (removedBuilds === undefined) return 0;
  const look: Look = { repoId, before: at - UNNAMED_TEXT_AGE };
  const { all, old } = await countTexts(services, look);
  const named = createDigestFilter(all, at);
  if (old > 0) await markNamed(services, repoId, named);
  let removed = 0;
  let isYoungLeft = false;
  for await (const texts of textsOf(services, look)) {
    const unnamed = texts.filter(({ digest }) => !named.has(digest));
    isYoungLeft ||= unnamed.some(({ isOld }) => !isOld);
    const digests = unnamed.filter(({ isOld }) => isOld).map(({ digest }) => digest);
    for (let from = 0; from < digests.length; from += AT_ONCE) {
      const some = digests.slice(from, from + AT_ONCE);
      removed += isTrial ? some.length : await sources.remove({ ...look, digests: some });
      await turn();
    }
  }
  if (!isTrial && !isYoungLeft) await sources.end({ repoId, removedBuilds });
  return removed;
}

async function* textsOf({ sources, turn }: TextsNamed, look: Look) {
  for (let after: string | undefined = START; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof sources.list>> = await sources.list({ ...look, after });
    yield page.texts;
    after = page.next;
    await turn();
  }
}

async function countTexts(services: TextsNamed, look: Look): Promise<{ readonly all: number; readonly old: number }> {
  let [all, old] = [0, 0];
  for await (const texts of textsOf(services, look)) {
    all += texts.length;
    old += texts.filter(({ isOld }) => isOld).length;
  }
  return { all, old };
}

/** Builds in the order of their sequences: what a report is carried from comes before the build that carries it. */
async function markNamed(services: TextsNamed, repoId: number, named: DigestFilter): Promise<void> {
  const { builds, jobs, transfers, reader, turn } = services;
  const add = async (read: Promise<readonly (ReportBytes | undefined)[]>): Promise<void> => {
    for (const report of await unlessGone(read))
      if (report !== undefined) named.add(await reader.listTexts({ report }));
    await turn();
  };
  for (let sequence = 0; ; ) {
    const [build] = await transfers.buildsAfter({ repoId, sequence, limit: 1 });
    if (build === undefined) return;
    sequence = build.sequence;
    named.add(hashDigests(digestsOf(build)));
    // For its own jobs a merged report names nothing else than they do.
    if (build.result?.flags.some(({ kind }) => kind === 'carried')) await add(one(builds.report(build.id)));
    for (let offset = 0; offset < build.jobs; offset += JOBS) {
      const some = await jobs.list({ buildId: build.id, offset, limit: JOBS });
      named.add(hashDigests(some.flatMap(({ facts }) => digestsOf(facts))));
      for (const { id } of some) await add(jobs.reports([id]));
    }
  }
}

function digestsOf({ diff, rulesFile }: Pick<Build, 'diff' | 'rulesFile'>): readonly string[] {
  return [diff?.digest, rulesFile?.digest].filter((digest) => digest !== undefined);
}

async function one<Value>(value: Promise<Value>): Promise<readonly Value[]> {
  return [await value];
}

/** A build that is removed in the meantime names nothing any more. */
function unlessGone<Value>(read: Promise<readonly Value[]>): Promise<readonly Value[]> {
  return read.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not-found') return [];
    throw error;
  });
}
