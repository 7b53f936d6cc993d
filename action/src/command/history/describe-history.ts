import type { PastCommit, PastTotals } from '@coverage/shared/history';
import { counted } from '../../runner/words.ts';
import { percentText } from '../../step/outputs.ts';
import { safeText } from '../shell/terminal-text.ts';
import type { LeftOutCommit } from './past.ts';

export type LeftOut = readonly LeftOutCommit[];

/** What a history holds, or would hold. */
export interface FoundHistory {
  readonly name: string;
  readonly address: string;
  readonly as: string;
  /** Newest first. */
  readonly commits: readonly PastCommit[];
  readonly leftOut: LeftOut;
  readonly withLines: number;
  readonly to: string;
  readonly isTrial: boolean;
}

/** How many reasons are named why commits stay out. */
const MAX_REASONS = 10;

/** For a person, with what to do next. */
export function describeHistory(
  found: FoundHistory & {
    readonly flags: readonly string[];
    readonly requests: { readonly sent: number; readonly kept: number } | undefined;
  },
): string {
  const { name, address, as, commits, leftOut, withLines, flags, requests, isTrial, to } = found;
  const [newest, oldest] = [commits[0] as PastCommit, commits.at(-1) as PastCommit];
  const branches = [...new Set(commits.map(({ branch }) => branch))].map(safeText).join(', ');
  const lines = [
    `${safeText(as)}, from ${name} (${safeText(address)})`,
    `  Builds   ${commits.length} of ${branches}, ${dayOf(oldest.at)} to ${dayOf(newest.at)}`,
    `  Known    ${detailOf(commits, withLines)}`,
    `  Newest   ${newest.commit.slice(0, 7)}${newest.shown === undefined ? '' : `, shown there as ${newest.shown}%`}`,
    ...(flags.length === 0 ? [] : [`  Flags    ${flags.map(safeText).join(', ')}`]),
    ...reasonsOf(leftOut),
    ...(requests === undefined
      ? []
      : [`  Asked    ${counted(requests.sent, 'request')}, ${requests.kept} kept before`]),
    '',
    ...(isTrial ? trialWords(requests !== undefined, to) : nextWords(to)),
  ];
  return `${lines.join('\n')}\n`;
}

function detailOf(commits: readonly PastCommit[], withLines: number): string {
  const rest = commits.slice(withLines);
  const alone = rest.filter(({ totals, shown }) => totals === undefined && shown !== undefined).length;
  const lines = commits.length - rest.length;
  return `${lines} with lines, ${rest.length - alone} with counts only, ${alone} with a percentage only`;
}

/** Commits that stay out, by reason. */
export function countReasons(leftOut: LeftOut): readonly { readonly why: string; readonly some: LeftOut }[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => ({ why, some }));
}

function reasonsOf(leftOut: LeftOut): readonly string[] {
  const reasons = countReasons(leftOut).slice(0, MAX_REASONS);
  return reasons.map(({ why, some }) => {
    const named = some.slice(0, 3).map(({ commit }) => commit.slice(0, 7));
    return `  Left out ${some.length}: ${safeText(why)} (${named.join(', ')}${some.length > 3 ? ', …' : ''})`;
  });
}

function trialWords(asked: boolean, to: string): readonly string[] {
  return asked
    ? [`Only the responses were saved, in ${to}.part: without --dry-run, the command continues from there.`]
    : ['Nothing was written.'];
}

function nextWords(to: string): readonly string[] {
  return [
    `The history is in ${to}. Nothing was sent to your server. Add it to the repo there:`,
    '  as an administrator of the repo, on its page Settings, Import history, as one file:',
    `    tar -czf history.tgz -C ${to} .`,
    '  or on the server itself:',
    `    npm run import -- --from ${to}`,
  ];
}

/** Both numbers of a commit, so that nobody is surprised later. */
export function shownBeside(name: string, { commit, shown, partialLines = 0 }: PastCommit, totals: PastTotals): string {
  const { coveredLines, relevantLines, coveredBranches, branches } = totals;
  // From whole numbers, since a fraction may be a hair too low.
  const here = `${percentText((100 * (coveredLines + coveredBranches)) / (relevantLines + branches))}%`;
  if (shown === undefined) return `${commit.slice(0, 7)}: ${here}.`;
  const why = partialLines === 0 ? '' : ` ${partly(name, partialLines)}`;
  return `${commit.slice(0, 7)}: ${name} shows ${shown}%, counted here it is ${here}.${why}`;
}

function partly(name: string, count: number): string {
  const lines = counted(count, 'partly covered line');
  return `${name} counts ${lines} as missed; here each has one of two branches covered.`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
