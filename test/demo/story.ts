import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { BuildJson } from '@coverage/shared';
import type { StatusRecord } from '../support/github-stand-in/model.ts';
import type { Scene } from './scene.ts';

const ARRIVAL_LIMIT_MS = 15_000;

/** What the demo prints: one screen, or everything with `--verbose`. */
export interface Story {
  /** A chapter. */
  heading(text: string): void;
  say(text: string): void;
  /** Only with `--verbose`. */
  detail(text: string): void;
}

export function createStory(isVerbose: boolean): Story {
  const say = (text: string): void => console.log(text);
  return {
    heading: (text) => say(`${isVerbose ? '\n' : ''}${styleText('bold', text)}`),
    say,
    detail: (text) => (isVerbose ? say(text) : undefined),
  };
}

/** The numbers and the verdict of a closed build. */
export function describeBuild({ detail }: Story, build: BuildJson): void {
  detail(
    `Build ${build.number} is closed: ${build.covered_lines} of ${build.relevant_lines} lines and ` +
      `${build.covered_branches} of ${build.relevant_branches} branches.`,
  );
  detail(`  verdict: ${build.verdict?.state} (${build.verdict?.rule}). ${build.verdict?.explanation}`);
  for (const flag of build.flags) {
    const origin = flag.carried_from ? `, carried from commit ${flag.carried_from.commit_sha?.slice(0, 7)}` : '';
    detail(`  flag ${flag.name}: ${flag.covered_percent?.toFixed(4)}%${origin}`);
  }
}

type Told = { readonly scene: Scene; readonly story: Story };

/** Waits until every status of a commit is final (or pending, while a build is open), and says what the host has. */
export async function tellStatuses(
  { scene, story }: Told,
  commit: string,
  expected: 'final' | 'pending' = 'final',
): Promise<void> {
  const statuses = await arrival(`${expected} statuses of ${commit.slice(0, 7)}`, () => {
    const last = [...scene.host.lastStatuses(scene.repo, commit).values()];
    const arrived =
      last.length > 0 && last.every((status) => (status.state === 'pending') === (expected === 'pending'));
    return arrived ? last : undefined;
  });
  const [first, ...flags] = statuses;
  const others = flags.map((status) => `${sign(status)} ${status.context}`).join('  ');
  if (expected === 'final' && first !== undefined)
    story.say(`  ${sign(first)} ${(first.description ?? '').replace(/(?:\. | \().*/, '')}  ${others}`);
  story.detail(`Statuses on commit ${commit.slice(0, 7)} at ${scene.kind.name}:`);
  for (const status of statuses)
    story.detail(`  ${sign(status)} ${styleText('bold', status.context)} — ${status.description}`);
}

/** Waits for the comment to show the newest build. `isLast`: it is edited no more, so that it is shown now. */
export async function tellComment(
  { scene, story }: Told,
  { pullRequest = 7, isLast = true }: { readonly pullRequest?: number; readonly isLast?: boolean } = {},
): Promise<void> {
  const newest = scene.builds().at(-1);
  const comment = await arrival('the comment', () => {
    const [first, second] = scene.host.comments(scene.repo, pullRequest);
    if (second) throw new Error('There is more than one comment of ours');
    return first && newest && first.body.includes(`${newest.url})`) ? first : undefined;
  });
  if (isLast) story.say(`  its comment${comment.edits > 0 ? ', edited in place' : ''}: ${shortComment(comment.body)}`);
  story.detail(`The comment, as Markdown:\n`);
  story.detail(comment.body.replace(/^/gm, '  │ '));
}

/** Its heading and its first sentences, as they are shown: links without their addresses. */
function shortComment(body: string): string {
  const lines = body.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('\n');
  const shown = lines.filter((line) => line.startsWith('###') || line.startsWith('**') || line.startsWith('⚠️'));
  return shown
    .slice(0, 2)
    .map((line) => `\n    │ ${line.replaceAll(/^#+ |\*\*/g, '')}`)
    .join('');
}

async function arrival<T>(what: string, look: () => T | undefined): Promise<T> {
  const end = performance.now() + ARRIVAL_LIMIT_MS;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Did not arrive within ${ARRIVAL_LIMIT_MS / 1_000} s: ${what}`);
    await sleep(20);
  }
}

function sign(status: StatusRecord): string {
  const signs: Record<string, string> = { success: '✓', failure: '✗', error: '!', pending: '…' };
  return stripVTControlCharacters(signs[status.state] ?? status.state);
}
