import { zstdCompressSync } from 'node:zlib';
import { hasNoSecrets } from '../../../action/src/context/event.ts';
import { diffLines } from '../../../server/src/core/diff/diff-lines.ts';
import { locateJsonError } from '../../../server/src/platform/http/read-json.ts';
import { systemTimers } from '../../../server/src/platform/timers/system-timers.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../server/src/reports/ingest/ingest.ts';
import { ingestJob } from '../../../server/src/reports/ingest/ingest-job.ts';
import { createBodyBuffers } from '../../../server/src/reports/threads/body-buffers.ts';
import { createHighlighter } from '../../../server/src/reports/threads/highlighter.ts';
import { createCheck } from '../../../server/src/reports/threads/upload-check.ts';
import { ownWorkflows } from '../repo-checks/own-workflows.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';

const LIMITS = { reportBytes: 64 * 2 ** 20, unusualBytes: 2 ** 20 };
/** Pseudo-random lines, of which hardly any two texts share a long run. */
const noise = (seed: number): readonly string[] => {
  let state = seed;
  return Array.from({ length: 200_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String((state >>> 16) % 50);
  });
};
const refuse = (text: string) =>
  ingestJob({ bytes: Buffer.from(text), contentType: 'application/json', contentEncoding: '' }, LIMITS).catch(() => {});

/** Three texts of which each line takes seconds, all of one repo; answers once another repo's text is colored. */
async function colorBesideSlowTexts(): Promise<void> {
  const highlighter = createHighlighter({ timers: systemTimers, firstWait: 60_000 });
  const ask = (repoId: number, name: string, text: string) =>
    highlighter.highlight({ repoId, name, source: { digest: `${repoId} ${name}`, bytes: zstdCompressSync(text) } });
  const slow = ['a.sh', 'b.sh', 'c.sh'].map((name) => ask(1, name, `${'<'.repeat(990)}\n`.repeat(40)));
  const other = await ask(2, 'd.rb', 'def a; end');
  if (other === 'pending' || other.length === 0) throw new Error('the text of the other repo has no colors');
  await Promise.all(slow);
  await highlighter.close();
}

/** What a job is refused with, whose check took all of its time, of which it had a processor for a hundredth. */
async function refuseOnBusyMachine(): Promise<string> {
  type Pool = Parameters<typeof createCheck>[0];
  const run = (_task: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const options = { limits: DEFAULT_INGEST_LIMITS, checkLimit: 100, processorTime: async () => 1 };
  const body = { bytes: Buffer.from('{}'), contentType: '', contentEncoding: '' };
  const check = createCheck(
    { threads: [], run } as unknown as Pool,
    { ...options, buffers: createBodyBuffers() },
    {
      body,
      spent: 0,
      task: 'ingest',
    },
  );
  return check.whole().then(String, ({ code }: { readonly code: string }) => code);
}

const unpinned = (): number =>
  Object.values(ownWorkflows())
    .flatMap((text) => [...text.matchAll(/uses: (?!\.\/)(\S+)/g)])
    .filter(([, used = '']) => !/@[0-9a-f]{40}$/.test(used)).length;
const isNoticed = (eventName: string): boolean =>
  hasNoSecrets({ event: { sender: { login: 'dependabot[bot]' } }, eventName, repository: 'octo/repo' });

/** What each must answer. */
const ANSWERS: readonly (readonly [attack: string, answer: string, run: () => unknown])[] = [
  [
    'an action that is moved, in our own workflows',
    '0 used without a commit',
    () => `${unpinned()} used without a commit`,
  ],
  ['a push of Dependabot, which has no secret', 'a notice', () => (isNoticed('push') ? 'a notice' : 'an error')],
  ['a job on a machine that others keep busy', 'unavailable', refuseOnBusyMachine],
];

/** Milliseconds that each may take: more would be minutes with an input of the largest size. */
const WORST: readonly (readonly [attack: string, limit: number, run: () => unknown])[] = [
  ['a JSON error behind a megabyte', 1_000, () => locateJsonError(`[${'1,'.repeat(500_000)}y`)],
  ['two texts of 200,000 lines of noise', 5_000, () => diffLines(noise(1), noise(2))],
  [
    'two million unusual numbers',
    4_000,
    () => refuse(`{"source_files":[{"name":"a","coverage":[${'0.5,'.repeat(2 ** 21 + 1)}1]}]}`),
  ],
  ["another repo's colors beside three shell files of `<`, and theirs", 10_000, colorBesideSlowTexts],
];

/** The worst inputs of the pure parts, without a server. */
export const pureParts: Attack = {
  name: 'pure-parts',
  async run() {
    const outcomes: Outcome[] = [];
    for (const [attack, limit, run] of WORST) {
      const [begun, before] = [performance.now(), process.cpuUsage()];
      await run();
      const { user, system } = process.cpuUsage(before);
      // A busy machine takes longer, and no more of a processor.
      const measured = Math.min(performance.now() - begun, (user + system) / 1_000);
      outcomes.push(atMost(limit, { attack, of: 'time', measured, unit: 'ms' }));
    }
    for (const [attack, mustHold, run] of ANSWERS) {
      const measured = String(await run());
      outcomes.push({ attack, mustHold, measured, passed: measured === mustHold });
    }
    return outcomes;
  },
};
