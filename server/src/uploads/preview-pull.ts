import { decideClose } from '../closing/decide-close.ts';
import type { GatherClose } from '../closing/gather-close.ts';
import { nameFlags } from '../closing/name-flags.ts';
import type { StatusContent } from '../core/announce/delivery.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import type { SentDiff } from '../core/diff/sent-diff.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { termsOf } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { Services } from '../services/services.ts';
import { frameOf } from '../wording/commit-status.ts';
import { ownStatus, sumsUp } from '../wording/plan.ts';
import type { PreviewQuestion } from './preview-question.ts';
import { createSentFacts, pullFacts, type SentFacts, type WantedDiff, wasTestedAtMerge } from './sent-facts.ts';
import { repoRemoved } from './sentences.ts';
import { createUnstoredBuild, type PreviewedJob, type UnstoredBuild } from './unstored-build.ts';

export interface PreviewInput {
  readonly repo: Repo;
  readonly question: PreviewQuestion;
  readonly jobs: readonly PreviewedJob[];
  readonly diffs: readonly SentDiff[];
  readonly sources: PreviewedJob['sources'];
  readonly warnings: readonly string[];
}

/** What the pull request's build would get. */
export interface Preview {
  readonly build: Build;
  readonly result: BuildResult;
  /** What its own status would say. */
  readonly status: StatusContent;
  /** Every status that the repo asks for. */
  readonly statuses: readonly (StatusContent & { readonly context: string })[];
  readonly warnings: readonly string[];
  readonly wanted: readonly WantedDiff[];
}

/** What a close is gathered from, where its build is stored nowhere. */
export type GatherUnstored = (
  parts: Pick<UnstoredBuild, 'jobs'> & Pick<SentFacts, 'facts' | 'askProvider'>,
) => GatherClose;

/** As long as a close waits for facts; the store alone is asked here. */
const FACTS_LIMIT = 3_000;

/** Judges a pull request by the rules of a close, and stores nothing. Throws `not-found` where its repo went. */
export async function previewPull(
  services: Pick<Services, 'store' | 'engine' | 'hosts' | 'clock' | 'timers'> & {
    readonly gatherUnstored: GatherUnstored;
  },
  input: PreviewInput,
): Promise<Preview> {
  const { store, engine, hosts, gatherUnstored, clock, timers } = services;
  const { repo, diffs } = input;
  const carryforward = await nameFlags(store.builds, repo.id, input.question.carryforward);
  const question = { ...input.question, carryforward };
  const at = clock.now();
  const hasProvider = hosts.of(repo)?.provider !== undefined;
  const diff = hasProvider ? undefined : (diffs.find(({ base }) => base === question.mergeBase) ?? diffs[0]);
  const unstored = createUnstoredBuild({ ...input, question, repoId: repo.id, diff, at }, store.jobs);
  const { facts, askProvider, wanted } = createSentFacts({
    question,
    diffs,
    hasProvider,
    stored: store.facts,
    readDiff: async ({ digest }) => {
      const text = await unstored.jobs.source(repo.id, digest);
      return text && engine.readDiff(text.bytes);
    },
  });
  const atMerge = question.testedAtMerge ?? (await wasTestedAtMerge(store.builds, repo.id));
  const build = { ...unstored.build, facts: pullFacts(question, { atMerge, hasProvider, at }) };
  const gathered = await gatherUnstored({ jobs: unstored.jobs, facts, askProvider })(
    build,
    createDeadline(timers, FACTS_LIMIT),
  );
  if (gathered === undefined || !('merged' in gathered))
    throw new Failure('not-found', repoRemoved(quoteValue(repo.name)));
  const { result, messages } = decideClose(gathered, at);
  const terms = termsOf(hosts, repo);
  return {
    build: { ...gathered.build, result },
    result,
    status: ownStatus(result, frameOf(build, '', terms), sumsUp(repo.settings, terms)),
    statuses: messages.flatMap(({ target, content }) =>
      target.kind === 'status' && content.kind === 'status' ? [{ ...content, context: target.context }] : [],
    ),
    warnings: [...input.warnings, ...input.jobs.flatMap(({ warnings }) => warnings)],
    wanted: wanted(),
  };
}
