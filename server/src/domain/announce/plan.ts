import type { Build, BuildResult, FlagResult, OpenedContext } from '../build/build.ts';
import { buildStatus, contextName, endedStatus, flagStatus, pendingStatus, troubleStatus } from './commit-status.ts';
import type { Message, Speaker, StatusContent } from './delivery.ts';
import type { Links } from './links.ts';
import { deservesComment, prComment } from './pr-comment.ts';

/** Flags of one build that get a context of their own; the page and the comment show all. */
const MAX_FLAG_CONTEXTS = 100;

/** What announcing depends on besides the build. */
export interface Announcing {
  readonly repo: { readonly id: number; readonly sendBuildStatus: boolean; readonly commentOnPullRequests: boolean };
  /** The server's STATUS_CONTEXT. */
  readonly contextWord: string;
  readonly links: Links;
  /** False where the repo's provider has no adapter here: nothing is announced (rule 28). */
  readonly hasProvider: boolean;
}

/** Messages, with every context that the build has used so far and its text. */
export interface AnnouncementPlan {
  readonly messages: readonly Message[];
  readonly openedContexts: readonly OpenedContext[];
}

/** Pending for the build and the base's flags (rule 23). */
export function planOpening(build: Build, baseFlags: readonly string[], announcing: Announcing): AnnouncementPlan {
  const commit = build.target;
  const { repo, contextWord, links, hasProvider } = announcing;
  if (commit === undefined || !hasProvider || !repo.sendBuildStatus)
    return { messages: [], openedContexts: build.openedContexts };
  const url = links.build(build.id);
  const named = [undefined, ...baseFlags.slice(0, MAX_FLAG_CONTEXTS)].map(contextTexts(build, contextWord));
  // At a higher attempt whatever was final before waits again (rule 12).
  const contexts = distinct([...build.openedContexts, ...named]);
  return {
    messages: contexts.map((opened) => ({
      target: { kind: 'status', commit, context: opened.context },
      content: pendingStatus(opened.flag, url),
    })),
    openedContexts: contexts,
  };
}

/** The final state of every context, and the comment, after a close (rules 22, 23, 25). */
export function planClose(build: Build, result: BuildResult, announcing: Announcing): AnnouncementPlan {
  const { repo, contextWord, links, hasProvider } = announcing;
  if (!hasProvider) return { messages: [], openedContexts: build.openedContexts };
  const contextOf = contextTexts(build, contextWord);
  const ours = [undefined, ...announcedFlags(result)].map(contextOf);
  const contexts = distinct(repo.sendBuildStatus ? [...ours, ...build.openedContexts] : build.openedContexts);
  const flagsAt = Map.groupBy(result.flags, (flag) => contextOf(flag.name).context.toLowerCase());
  const statuses = contexts.flatMap((opened) => {
    const flags = flagsAt.get(opened.context.toLowerCase()) ?? [];
    return statusMessage(build, opened, finalStatus(opened, { result, flags, url: links.build(build.id) }));
  });
  return { messages: [...statuses, ...commentMessage(build, result, announcing)], openedContexts: contexts };
}

/** For a build that cannot be merged for now: its contexts end in `error`, until a close says better (rule 23). */
export function planTrouble(build: Build, announcing: Announcing): AnnouncementPlan {
  const { repo, contextWord, links, hasProvider } = announcing;
  if (!hasProvider) return { messages: [], openedContexts: build.openedContexts };
  const own = repo.sendBuildStatus ? [contextTexts(build, contextWord)(undefined)] : [];
  const contexts = distinct([...own, ...build.openedContexts]);
  const content = troubleStatus(links.build(build.id));
  return { messages: contexts.flatMap((opened) => statusMessage(build, opened, content)), openedContexts: contexts };
}

/** The build as the owner of what it announces (rule 24). */
export function toSpeaker(build: Build): Speaker {
  return {
    buildId: build.id,
    sequence: build.sequence,
    trust: build.trust,
    pullRequest: build.mergeQueue ? undefined : build.pullRequest,
  };
}

function statusMessage(build: Build, opened: OpenedContext, content: StatusContent): readonly Message[] {
  if (build.target === undefined) return [];
  return [{ target: { kind: 'status', commit: build.target, context: opened.context }, content }];
}

/** A comment belongs to a pull request, never to a merge queue's build (rules.md "Branches"). */
function commentMessage(build: Build, result: BuildResult, announcing: Announcing): readonly Message[] {
  const { repo, links } = announcing;
  if (build.pullRequest === undefined || build.mergeQueue || !repo.commentOnPullRequests) return [];
  const body = prComment({ build, result, repo, links, warnings: result.warnings });
  return [
    {
      target: { kind: 'comment', pullRequest: build.pullRequest },
      content: { kind: 'comment', body },
      onlyEdit: !deservesComment(result),
    },
  ];
}

/** Of flags that share one context, equal but for case or beyond what it shows (rule 22), the one that fails speaks. */
function finalStatus(
  opened: OpenedContext,
  said: { readonly result: BuildResult; readonly flags: readonly FlagResult[]; readonly url: string },
): StatusContent {
  const { result, flags, url } = said;
  if (opened.flag === undefined) return buildStatus(result, url);
  const flag = flags.find((one) => one.verdict.state !== 'success') ?? flags[0];
  return flag === undefined ? endedStatus(url) : flagStatus(flag, url);
}

/** All flags, or of very many those that fail first: each context is a call to the provider. */
function announcedFlags(result: BuildResult): readonly string[] {
  const failing = result.flags.filter((flag) => flag.verdict.state !== 'success');
  const others = result.flags.filter((flag) => flag.verdict.state === 'success');
  const flags = result.flags.length <= MAX_FLAG_CONTEXTS ? result.flags : [...failing, ...others].slice(0, MAX_FLAG_CONTEXTS);
  return flags.map((flag) => flag.name);
}

/** The text under which a context was opened stays, whatever the settings became (rule 22). */
function contextTexts(build: Build, word: string): (flag: string | undefined) => OpenedContext {
  const opened = new Map(build.openedContexts.map((one) => [one.flag?.toLowerCase(), one]));
  return (flag) => opened.get(flag?.toLowerCase()) ?? { context: contextName(word, flag), flag };
}

function distinct(contexts: readonly OpenedContext[]): readonly OpenedContext[] {
  const byText = new Map<string, OpenedContext>();
  for (const one of contexts) if (!byText.has(one.context.toLowerCase())) byText.set(one.context.toLowerCase(), one);
  return [...byText.values()];
}
