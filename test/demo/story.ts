import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { BuildJson } from '@coverage/shared';
import type { StatusRecord } from '../support/github-stand-in/model.ts';
import type { Scene } from './scene.ts';

const ARRIVAL_LIMIT_MS = 15_000;

/** A chapter of the story. */
export function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

/** A line of the story. */
export function say(text: string): void {
  console.log(text);
}

/** The numbers and the verdict of a closed build. */
export function describeBuild(build: BuildJson): void {
  say(
    `Build ${build.number} is closed: ${build.covered_lines} of ${build.relevant_lines} lines and ` +
      `${build.covered_branches} of ${build.relevant_branches} branches.`,
  );
  say(`  verdict: ${build.verdict?.state} (${build.verdict?.rule}). ${build.verdict?.explanation}`);
  for (const flag of build.flags) {
    const origin = flag.carried_from ? `, carried from commit ${flag.carried_from.commit_sha?.slice(0, 7)}` : '';
    say(`  flag ${flag.name}: ${flag.covered_percent?.toFixed(4)}%${origin}`);
  }
}

/** Waits until every status of a commit is final (or pending, while a build is open), and prints what GitHub has. */
export async function printStatuses(
  scene: Scene,
  commit: string,
  expected: 'final' | 'pending' = 'final',
): Promise<void> {
  const statuses = await arrival(`${expected} statuses of ${commit.slice(0, 7)}`, () => {
    const last = [...scene.github.lastStatuses(scene.repo, commit).values()];
    const arrived =
      last.length > 0 && last.every((status) => (status.state === 'pending') === (expected === 'pending'));
    return arrived ? last : undefined;
  });
  say(`Statuses on commit ${commit.slice(0, 7)} at GitHub:`);
  for (const status of statuses) say(`  ${sign(status)} ${styleText('bold', status.context)} — ${status.description}`);
}

/** Waits for the comment to show the newest build, and prints its Markdown. */
export async function printComment(scene: Scene, pullRequest = 7): Promise<void> {
  const newest = scene.builds().at(-1);
  const comment = await arrival('the comment', () => {
    const [first, second] = scene.github.comments(scene.repo, pullRequest);
    if (second) throw new Error('GitHub has more than one comment of ours');
    return first && newest && first.body.includes(`${newest.url})`) ? first : undefined;
  });
  say(`The comment on pull request ${pullRequest}, as Markdown:\n`);
  say(comment.body.replace(/^/gm, '  │ '));
}

async function arrival<T>(what: string, look: () => T | undefined): Promise<T> {
  const end = performance.now() + ARRIVAL_LIMIT_MS;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > end)
      throw new Error(`Did not arrive at GitHub within ${ARRIVAL_LIMIT_MS / 1_000} s: ${what}`);
    await sleep(20);
  }
}

function sign(status: StatusRecord): string {
  const signs: Record<string, string> = { success: '✓', failure: '✗', error: '!', pending: '…' };
  return stripVTControlCharacters(signs[status.state] ?? status.state);
}
