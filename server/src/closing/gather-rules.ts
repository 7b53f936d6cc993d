import { createHash } from 'node:crypto';
import { defaultBranches } from '../core/builds/base-branches.ts';
import type { Build } from '../core/builds/build.ts';
import type { GroupAsked, PartsAsked } from '../core/builds/compose-groups.ts';
import type { CloseRules } from '../core/builds/compose-verdict.ts';
import type { FileChoice } from '../core/builds/file-choice.ts';
import type { JudgedRules, RulesProposal } from '../core/builds/judged-rules.ts';
import { compareRules, listRules } from '../core/builds/list-rules.ts';
import { totalPercent } from '../core/coverage/percent.ts';
import type { Repo } from '../core/repo/repo.ts';
import { effectiveRules, type RepoRules, type RuleSources } from '../core/repo/repo-rules.ts';
import type { Timestamp } from '../core/time.ts';
import { bestStanding, RATCHET_PERIOD } from '../core/verdict/best-total.ts';
import type { Ratchet } from '../core/verdict/findings.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { Services } from '../services/services.ts';
import { type FoundRules, readFileAt, readOwners, readProposed, readRules } from './read-rules.ts';

type Gathering = Pick<Services, 'builds' | 'views' | 'jobs' | 'facts' | 'askProvider' | 'hosts' | 'config' | 'clock'>;

/** By what a build is judged, and what is to be counted for that. */
export interface GatheredRules {
  /** With the settings that are in force. */
  readonly repo: Repo;
  readonly rules: CloseRules;
  /** Undefined: nothing is counted beside the whole. */
  readonly parts: PartsAsked | undefined;
  readonly choice: FileChoice | undefined;
  readonly unavailable: boolean;
  readonly refusal: string | undefined;
  readonly sources: RuleSources;
}

interface Asked {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
}

/** What a change makes of the file, and the rules that it would give. */
export type ProposedRules = RulesProposal & { readonly rules?: RepoRules };

/** Builds that are looked at for the best total. */
const MAX_BUILDS = 1_000;

export async function gatherRules(services: Gathering, { build, repo, deadline }: Asked): Promise<GatheredRules> {
  const { clock, config } = services;
  const found = await readRules(services, { build, repo, deadline });
  const at = clock.now();
  const branch = ruledBranch(build);
  const sources = { settings: repo.settings, file: found.file?.file, floors: config.floors, at, branch };
  const rules = effectiveRules(sources);
  const owners = await findOwners(services, { rules, repo, found, deadline });
  const judged: JudgedRules = {
    file: found.file && { path: found.file.path, commit: found.file.commit, digest: found.file.digest },
    ...(found.broken && { broken: found.broken }),
    ...(owners.missing && { ownersUnavailable: true }),
    values: listRules(sources, found.file?.lines),
  };
  return {
    repo: { ...repo, settings: rules.settings },
    rules: { rules, judged, ratchet: await findRatchet(services, { rules, repo, build, at }) },
    parts: partsOf(rules, owners.text),
    choice: choiceOf(rules),
    unavailable: found.unavailable || owners.unavailable,
    refusal: found.refusal,
    sources,
  };
}

/** What the change makes of the file, read at its own commit; undefined if it does not touch it. */
export async function proposeRules(
  services: Gathering,
  { build, repo, gathered, deadline }: Asked & { readonly gathered: GatheredRules },
): Promise<ProposedRules | undefined> {
  const commit = build.facts?.pull?.headCommit ?? build.commit;
  if (commit === undefined || repo.settings.configFile === 'off') return undefined;
  const found = await readProposed(services, { build, repo, commit, deadline });
  if (found.kind === 'unavailable') return undefined;
  const before = gathered.rules.judged;
  if (found.kind === 'broken') {
    const { broken, text } = found;
    const at = before.broken?.commit;
    const base = at === undefined ? undefined : await readFileAt(services, { repo, commit: at, deadline });
    if (base?.kind === 'broken' && base.text === text) return undefined;
    return { path: broken.path, commit, changes: [], more: 0, broken };
  }
  const file = found.kind === 'valid' ? found.file : undefined;
  if (file?.digest === before.file?.digest) return undefined;
  const sources = { ...gathered.sources, file: file?.file };
  const path = file?.path ?? before.file?.path ?? '';
  return { path, commit, ...compareRules(before.values, listRules(sources)), rules: effectiveRules(sources) };
}

/** The branch that a pull request goes to, or that was pushed. */
export function ruledBranch({ facts, baseBranch, branch }: Pick<Build, 'facts' | 'baseBranch' | 'branch'>) {
  return facts?.pull?.baseBranch ?? baseBranch ?? branch;
}

async function findOwners(
  services: Gathering,
  { rules, repo, found, deadline }: { rules: RepoRules; repo: Repo; found: FoundRules; deadline: Deadline },
): Promise<{ readonly text: string | undefined; readonly missing: boolean; readonly unavailable: boolean }> {
  const isAsked = rules.owners || rules.groups.some(({ files }) => files.kind === 'owner');
  if (!isAsked) return { text: undefined, missing: false, unavailable: false };
  const file = services.hosts.of(repo)?.codeOwners;
  if (found.commit === undefined || file === undefined) return { text: undefined, missing: true, unavailable: false };
  const answer = await readOwners(services, { repo, commit: found.commit, file, deadline });
  if (answer.kind === 'unavailable') return { text: undefined, missing: false, unavailable: true };
  return { text: answer.value, missing: false, unavailable: false };
}

/** Undefined: all files count, as they are called. */
export function choiceOf({ ignore, paths, flags }: RepoRules): FileChoice | undefined {
  const ofFlags = [...flags].flatMap(([flag, rule]) => (rule.paths === undefined ? [] : [{ flag, paths: rule.paths }]));
  return ignore.length + Object.keys(paths).length + ofFlags.length === 0 ? undefined : { ignore, paths, ofFlags };
}

/** Undefined: nothing is counted beside the whole. `owners`: the text of CODEOWNERS. */
export function partsOf(rules: RepoRules, owners: string | undefined): PartsAsked | undefined {
  const flagLines = [...rules.flags].flatMap(([flag, { changes }]) => (changes === undefined ? [] : [flag]));
  if (rules.groups.length === 0 && owners === undefined && flagLines.length === 0) return undefined;
  return {
    groups: rules.groups.map(groupAsked),
    owners,
    allOwners: rules.owners,
    flagLines,
  };
}

/** A group as it is counted. */
export function groupAsked({ id, name, files, flags }: RepoRules['groups'][number]): GroupAsked {
  return { id, name, files, flags, digest: digestOf([files, flags]) };
}

function digestOf(definition: unknown): string {
  return createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16);
}

/** The best total of the default branch that stood, from builds before this one. */
export async function findRatchet(
  { views }: Pick<Services, 'views'>,
  asked: {
    readonly rules: Pick<RepoRules, 'ratchet'>;
    readonly repo: Repo;
    readonly build: Pick<Build, 'id' | 'pullRequest' | 'sequence'>;
    readonly at: Timestamp;
  },
): Promise<Ratchet | undefined> {
  const { rules, repo, build, at } = asked;
  if (rules.ratchet === undefined) return undefined;
  const since = Math.max(at - RATCHET_PERIOD, repo.settings.ratchetReset?.at ?? 0);
  for (const branch of defaultBranches(repo)) {
    const before = build.pullRequest === undefined ? build.sequence : undefined;
    const closed = await views.closed({ repoId: repo.id, scope: { branch }, before, limit: MAX_BUILDS });
    const standing = closed
      .filter(({ id, trust, createdAt }) => id !== build.id && trust !== 'run' && createdAt >= since)
      // Another service counted them, in its own way.
      .filter(({ imported }) => imported === undefined)
      .flatMap(({ number, commit, result }) =>
        result !== undefined && result.verdict.state !== 'incomplete' && totalPercent(result.totals) !== undefined
          ? [{ number, commit, totals: result.totals }]
          : [],
      );
    const best = bestStanding(standing.toReversed());
    if (best !== undefined) return { best, tolerance: rules.ratchet };
  }
  return undefined;
}
