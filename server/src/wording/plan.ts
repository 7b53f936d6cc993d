import {
  type ContextNames,
  contextsOf,
  distinctContexts,
  placeOf,
  type StatusPlace,
} from '../core/announce/contexts.ts';
import type { Message, StatusContent } from '../core/announce/delivery.ts';
import type { Links } from '../core/announce/links.ts';
import type { Build, BuildResult, FlagResult, OpenedContext } from '../core/builds/build.ts';
import { missedLines } from '../core/coverage/totals.ts';
import { judgesChanges } from '../core/repo/effective-settings.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import { checkId, standingOf } from '../core/verdict/checks.ts';
import { marksCheck, unmarkedCheck } from './annotations.ts';
import {
  buildStatus,
  copiedHeadStatus,
  endedStatus,
  flagStatus,
  frameOf,
  groupStatus,
  heldBackStatus,
  patchStatus,
  pendingStatus,
  type StatusFrame,
  signedStatus,
  troubleStatus,
} from './commit-status.ts';
import { overallStatus } from './overall-status.ts';
import { deservesComment, prComment } from './pr-comment.ts';

/** Flags of one build that get a context of their own; the page and the comment show all. */
const MAX_FLAG_CONTEXTS = 100;

/** What announcing depends on besides the build. */
export interface Announcing extends ContextNames {
  readonly repo: { readonly id: number } & Pick<
    RepoSettings,
    'sendBuildStatus' | 'commentOnPullRequests' | 'patchStatus' | 'patchMinimum' | 'commentMode' | 'coverageStatus'
  >;
  /**
   * For a merge queue's build: the contexts that its pull request has, since the queue waits for each of them. Else
   * none.
   */
  readonly inherited: readonly OpenedContext[];
  readonly links: Links;
  readonly terms: HostTerms;
  /**
   * The check run that marks uncovered lines: its name, and whether the repo wants it. Absent if this server can make
   * none.
   */
  readonly check?: { readonly name: string; readonly wanted: boolean } | undefined;
  /** False if the repo's provider has no adapter here: nothing is announced (rule 28). */
  readonly hasProvider: boolean;
}

/** What announcing an opening depends on. */
export interface OpeningAnnouncement extends Announcing {
  /** Flags of the jobs that have come; undefined: not known. */
  readonly reported?: readonly string[];
}

/** What announcing a close depends on. */
export interface ClosingAnnouncement extends Announcing {
  /**
   * A provisional verdict is kept back: the provider may still answer about the base. Without effect on any other
   * verdict.
   */
  readonly holdBack?: boolean;
}

/** Messages, with every context that the build has used so far and its text. */
export interface AnnouncementPlan {
  readonly messages: readonly Message[];
  readonly openedContexts: readonly OpenedContext[];
}

/** Pending for the build, its changed lines where asked for, and the base's flags (rule 23). */
export function planOpening(
  given: Build,
  baseFlags: readonly string[],
  announcing: OpeningAnnouncement,
): AnnouncementPlan {
  const { repo, links, terms, hasProvider, reported } = announcing;
  const build = withInherited(given, announcing);
  if (build.target === undefined || !hasProvider || !repo.sendBuildStatus)
    return { messages: [], openedContexts: given.openedContexts };
  const flags = baseFlags.slice(0, MAX_FLAG_CONTEXTS).map((flag) => ({ flag }));
  const named = placesOf(repo, flags).flatMap(contextsOf(build, announcing));
  // At a higher attempt whatever was final before waits again (rule 12).
  const contexts = distinctContexts([...build.openedContexts, ...named]);
  return {
    messages: contexts.flatMap((opened) => {
      const flagMissing = opened.flag !== undefined && reported !== undefined && !reported.includes(opened.flag);
      const content = pendingStatus(opened, links.build(build.id, checkOf(opened)));
      return statusMessage(build, opened, { content, flagMissing, terms });
    }),
    openedContexts: contexts,
  };
}

/** The final state of every context, the marks beside the code, and the comment, after a close (rules 22, 23, 25). */
export function planClose(given: Build, result: BuildResult, announcing: ClosingAnnouncement): AnnouncementPlan {
  const { repo, links, terms, hasProvider, holdBack = false } = announcing;
  if (!hasProvider) return { messages: [], openedContexts: given.openedContexts };
  if (holdBack && result.provisionalSince !== undefined) return planHoldingBack(given, result, announcing);
  const build = withInherited(given, announcing);
  const contextsAt = contextsOf(build, announcing);
  const copiesHead = build.facts?.copiesHead === true;
  // A flag of the fork's own invention would be red forever on a commit of the repo.
  const named = copiesHead ? [] : [...announcedFlags(result).map((flag) => ({ flag })), ...groupPlaces(result)];
  const ours = placesOf(repo, named).flatMap(contextsAt);
  const contexts = distinctContexts(repo.sendBuildStatus ? [...ours, ...build.openedContexts] : build.openedContexts);
  const shown = result.flags.flatMap((flag) =>
    contextsAt({ flag: flag.name }).map(({ context }) => ({ context, flag })),
  );
  const shownAt = Map.groupBy(shown, ({ context }) => context.toLowerCase());
  const statuses = contexts.flatMap((opened) => {
    const flags = (shownAt.get(opened.context.toLowerCase()) ?? []).map(({ flag }) => flag);
    const frameAt = (check: string | undefined) => frameOf(build, links.build(build.id, check), terms);
    const content = copiesHead
      ? copiedHeadStatus(links.build(build.id))
      : finalStatus(opened, { result, flags, frameAt, sumsUp: sumsUp(repo, terms) });
    return statusMessage(build, opened, {
      content,
      flagMissing: opened.flag !== undefined && flags.every(isMissing),
      terms,
    });
  });
  const messages = [
    ...statuses,
    ...checkMessage(build, result, announcing),
    ...commentMessage(build, result, announcing),
  ];
  return { messages, openedContexts: contexts };
}

/**
 * What was opened continues waiting; nothing is opened, and there is no comment yet. A build that was closed before
 * keeps what it shows (rule 12): it is final, or it waits already.
 */
function planHoldingBack(build: Build, result: BuildResult, { links, terms }: Announcing): AnnouncementPlan {
  const { openedContexts } = build;
  const content = heldBackStatus(links.build(build.id));
  const waiting = build.result === undefined ? openedContexts : [];
  const reported = new Set(result.flags.filter((flag) => !isMissing(flag)).map(({ name }) => name.toLowerCase()));
  const messages = waiting.flatMap((opened) => {
    const flagMissing = opened.flag !== undefined && !reported.has(opened.flag.toLowerCase());
    return statusMessage(build, opened, { content, flagMissing, terms });
  });
  return { messages, openedContexts };
}

/** For a build that cannot be merged for now: its contexts end in `error`, until a close says better (rule 23). */
export function planTrouble(build: Build, announcing: Announcing): AnnouncementPlan {
  const { repo, links, terms, hasProvider } = announcing;
  if (!hasProvider) return { messages: [], openedContexts: build.openedContexts };
  const own = repo.sendBuildStatus ? contextsOf(build, announcing)('build') : [];
  const contexts = distinctContexts([...own, ...build.openedContexts]);
  const content = troubleStatus(links.build(build.id), build.attempts?.setAside);
  const messages = contexts.flatMap((opened) =>
    statusMessage(build, opened, { content, flagMissing: opened.flag !== undefined, terms }),
  );
  return { messages, openedContexts: contexts };
}

/**
 * A merge queue's build continues with its pull request's contexts, under all names that these have by now, unless
 * statuses are switched off.
 */
function withInherited(build: Build, announcing: Announcing): Build {
  const { inherited, repo } = announcing;
  if (inherited.length === 0 || !repo.sendBuildStatus) return build;
  const going = { ...build, openedContexts: distinctContexts([...build.openedContexts, ...inherited]) };
  const renamed = inherited.map(placeOf).flatMap(contextsOf(going, announcing));
  return { ...going, openedContexts: distinctContexts([...going.openedContexts, ...renamed]) };
}

function placesOf(repo: Announcing['repo'], others: readonly StatusPlace[]): readonly StatusPlace[] {
  return ['build', ...(judgesChanges(repo) ? (['patch'] as const) : []), ...others];
}

/** Groups with a status of their own. Flags and groups share one space of names: a group called as a flag says so. */
function groupPlaces({ groups = [], flags }: BuildResult): readonly StatusPlace[] {
  const taken = new Set(flags.map(({ name }) => name.toLowerCase()));
  return groups
    .filter(({ hasStatus, verdict }) => hasStatus && verdict)
    .map(({ id, name }) => ({ group: { id, name: taken.has(name.toLowerCase()) ? `${name}, group` : name } }));
}

function isMissing({ kind }: FlagResult): boolean {
  return kind === 'missing';
}

function statusMessage(
  build: Build,
  opened: OpenedContext,
  said: { readonly content: StatusContent; readonly flagMissing: boolean; readonly terms: HostTerms },
): readonly Message[] {
  if (build.target === undefined) return [];
  const { flagMissing, terms } = said;
  const content = signedStatus(build, said.content, terms);
  const target = { kind: 'status', commit: build.target, context: opened.context } as const;
  return [flagMissing ? { target, content, lacks: true } : { target, content }];
}

/** A comment belongs to a pull request, never to a merge queue's build (rules.md "Branches"). */
function commentMessage(build: Build, result: BuildResult, announcing: Announcing): readonly Message[] {
  const { repo, links, terms } = announcing;
  if (build.pullRequest === undefined || build.mergeQueue || !repo.commentOnPullRequests) return [];
  if (build.facts?.pullUnproven === true) return [];
  const body = prComment({ build, result, repo, links, terms });
  return [
    {
      target: { kind: 'comment', pullRequest: build.pullRequest },
      content: { kind: 'comment', body },
      onlyEdit: !deservesComment(result, repo.commentMode),
    },
  ];
}

/**
 * A pull request's head gets a check run where there is something to mark, and once it has one every close updates
 * it. While it is not known what changed, it stays as it is.
 */
function checkMessage(build: Build, result: BuildResult, { check, links }: Announcing): readonly Message[] {
  const { target: commit, pullRequest } = build;
  if (check === undefined || commit === undefined || pullRequest === undefined || build.mergeQueue) return [];
  // The numbers would be beside code that they are not about.
  if (build.facts?.copiesHead === true || build.facts?.pullUnproven === true) return [];
  const { marks, patch, changesUnknownSince } = result;
  const target = { kind: 'check', commit, name: check.name } as const;
  const input = { build, links };
  if (!check.wanted) return [{ target, content: unmarkedCheck(input, 'switched-off'), onlyEdit: true }];
  if (marks !== undefined && patch !== undefined)
    return [{ target, content: marksCheck(input, { patch, marks }), onlyEdit: missedLines(patch.totals) === 0 }];
  return changesUnknownSince === undefined
    ? [{ target, content: unmarkedCheck(input, 'unknown'), onlyEdit: true }]
    : [];
}

/** Whether the build's own context stands for all checks. */
export function sumsUp(
  { coverageStatus }: Pick<RepoSettings, 'coverageStatus'>,
  { countsStatuses }: Pick<HostTerms, 'countsStatuses'>,
): boolean {
  return (coverageStatus ?? (countsStatuses ? 'overall' : 'total')) === 'overall';
}

/** The check that a context is about; the build's own leads to its page as such. */
function checkOf({ flag, patch, group }: OpenedContext): string | undefined {
  if (patch === true) return checkId('changes');
  if (group !== undefined) return checkId('group', group.id);
  return flag === undefined ? undefined : checkId('flag', flag);
}

/** For flags that share one context, equal except for case or beyond what it shows (rule 22): the one that fails. */
function finalStatus(
  opened: OpenedContext,
  said: {
    readonly result: BuildResult;
    readonly flags: readonly FlagResult[];
    readonly frameAt: (check: string | undefined) => StatusFrame;
    readonly sumsUp: boolean;
  },
): StatusContent {
  const { result, flags, frameAt } = said;
  const frame = frameAt(checkOf(opened));
  if (opened.patch === true && result.verdict.state !== 'error') return patchStatus(result, frame);
  if (opened.group !== undefined && result.verdict.state !== 'error') return groupStatus(opened.group, result, frame);
  if (opened.flag === undefined || result.verdict.state === 'error')
    return ownStatus(result, frameAt(undefined), said.sumsUp);
  const failing = flags.filter((one) => one.verdict.state !== 'success');
  const [flag = flags[0]] = failing.toSorted((a, b) => urgencyOf(a) - urgencyOf(b));
  return flag === undefined ? endedStatus(frame.url) : flagStatus(flag, result, frameAt(checkId('flag', flag.name)));
}

/** What is red goes before what would be. */
function urgencyOf(flag: FlagResult): number {
  return ['failing', 'would-fail', 'passing'].indexOf(standingOf(flag));
}

/** What the build's own context shows after a close. */
export function ownStatus(result: BuildResult, frame: StatusFrame, isOverall: boolean): StatusContent {
  return isOverall ? overallStatus(result, frame) : buildStatus(result, frame);
}

/** All flags, or of very many those that fail first: each context is a call to the provider. */
function announcedFlags(result: BuildResult): readonly string[] {
  const failing = result.flags.filter((flag) => flag.verdict.state !== 'success');
  const others = result.flags.filter((flag) => flag.verdict.state === 'success');
  const flags =
    result.flags.length <= MAX_FLAG_CONTEXTS ? result.flags : [...failing, ...others].slice(0, MAX_FLAG_CONTEXTS);
  return flags.map((flag) => flag.name);
}
