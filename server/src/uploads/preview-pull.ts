import { announcingFor } from '../closing/announcing.ts';
import { decideClose } from '../closing/decide-close.ts';
import { type GatheredClose, gatherMerged } from '../closing/gather-close.ts';
import { type GatheredRules, gatherRules } from '../closing/gather-rules.ts';
import { nameFlags } from '../closing/name-flags.ts';
import type { StatusContent } from '../core/announce/delivery.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import type { SentDiff } from '../core/diff/sent-diff.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { termsOf } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { readRulesField } from '../reports/ingest/rules-field.ts';
import type { Services } from '../services/services.ts';
import { frameOf } from '../wording/commit-status.ts';
import { ownStatus, sumsUp } from '../wording/plan.ts';
import type { PreviewQuestion } from './preview-question.ts';
import { createSentFacts, pullFacts, type WantedDiff, wasTestedAtMerge } from './sent-facts.ts';
import { createUnstoredBuild, type PreviewedJob } from './unstored-build.ts';
import { repoRemoved } from './upload-job.ts';

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

/** As long as a close waits for facts; the store alone is asked here. */
const FACTS_LIMIT = 3_000;

/** Judges a pull request by the rules of a close, and stores nothing. Throws `not-found` if its repo went. */
export async function previewPull(services: Services, input: PreviewInput): Promise<Preview> {
  const { builds, jobs, engine, hosts, clock } = services;
  const { repo, diffs } = input;
  const carryforward = await nameFlags(builds, repo.id, input.question.carryforward);
  const question = { ...input.question, carryforward };
  const at = clock.now();
  const hasProvider = hosts.of(repo)?.provider !== undefined;
  const diff = hasProvider ? undefined : (diffs.find(({ base }) => base === question.mergeBase) ?? diffs[0]);
  const { rules } = readRulesField(hasProvider ? undefined : question.files.head);
  const unstored = createUnstoredBuild({ ...input, question, repoId: repo.id, diff, rules, at }, jobs);
  const { facts, askProvider, wanted } = createSentFacts({
    question,
    diffs,
    hasProvider,
    stored: services.facts,
    readDiff: async ({ digest }) => {
      const text = await unstored.jobs.source(repo.id, digest);
      return text && engine.readDiff(text.bytes);
    },
  });
  const atMerge = question.testedAtMerge ?? (await wasTestedAtMerge(builds, repo.id));
  const build = { ...unstored.build, facts: pullFacts(question, { atMerge, hasProvider, at }) };
  const over = { ...services, jobs: { ...jobs, ...unstored.jobs }, facts, askProvider };
  const gathered = await gatherUnstored(over, build);
  if (gathered === undefined) throw new Failure('not-found', repoRemoved(quoteValue(repo.name)));
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

/** What gathers every close, with services that nothing is written to. Undefined: the repo was removed. */
async function gatherUnstored(services: Services, build: Build): Promise<GatheredClose | undefined> {
  const stored = await services.repos.find(build.repoId);
  if (stored === undefined) return undefined;
  const deadline = createDeadline(services.timers, FACTS_LIMIT);
  const rules = withoutUploads(await gatherRules(services, { build, repo: stored, deadline }));
  const gathered = await gatherMerged(services, { build, rules, deadline });
  if (!('merged' in gathered)) return undefined;
  const announcing = await announcingFor(services, { repo: gathered.repo, build });
  // Its statuses are asked for, though nobody posts them.
  return { ...gathered, announcing: { ...announcing, hasProvider: true, check: undefined } };
}

/** Who asks for a preview sends all reports at once, however many uploads they will be in CI. */
function withoutUploads(gathered: GatheredRules): GatheredRules {
  const { rules } = gathered.rules;
  const flags = new Map([...rules.flags].map(([flag, rule]) => [flag, { ...rule, uploads: undefined }]));
  return { ...gathered, rules: { ...gathered.rules, rules: { ...rules, uploads: undefined, flags } } };
}
