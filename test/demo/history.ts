import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coverageApi, job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type CodecovCommit, startCodecov } from '../support/coverage-service-stand-in/codecov.ts';
import { runCommand } from '../support/run-command.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Scene } from './scene.ts';
import { describeBuild, type Story } from './story.ts';

/** The repo that moves here, and the newest commit of its past. */
export const MOVED = { name: 'acme/tea', newest: shaOf('tea, newest') } as const;
const DAY = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString();

/** What the other service knows: newest first, one line of it partly covered. */
const PAST: readonly CodecovCommit[] = [
  {
    sha: MOVED.newest,
    at: dayAgo(2),
    message: 'Brew faster',
    reports: { unit: { 'src/brew.js': ['hit', 'hit', 'hit', 'partial', 'miss'] } },
  },
  { sha: shaOf('tea, older'), at: dayAgo(30), reports: { '': { 'src/brew.js': ['hit', 'hit', 'miss', 'miss'] } } },
  { sha: shaOf('tea, oldest'), at: dayAgo(200), reports: { '': { 'src/brew.js': ['hit', 'miss', 'miss', 'miss'] } } },
];

/** A repo that moves here with its past; its next pull request loses a line that the past covered. */
export async function movedFromCodecov({ scene, story }: { scene: Scene; story: Story }): Promise<void> {
  story.heading('5. A repo moves here from Codecov, with its past');
  const { url, adminToken } = scene.instances.first;
  const api = coverageApi(url, adminToken);
  const { token } = await api.createRepo({ service: 'manual', name: MOVED.name });
  const codecov = await startCodecov(PAST);
  const folder = await mkdtemp(join(tmpdir(), 'demo-history-'));
  try {
    const asked = ['--from=codecov', '--repo=github/acme/shop', `--as=manual/${MOVED.name}`, `--url=${codecov.url}`];
    const command = await runCommand(['import-history', ...asked, '--requests-per-minute=60000'], { folder });
    if (command.code !== 0) throw new Error(`The history could not be read: ${command.stderr}`);
    story.detail(command.stdout);
    const archive = join(folder, 'history.tgz');
    execFileSync('tar', ['-czf', archive, '-C', join(folder, 'coverage-history'), '.']);
    await bringArchive({ page: `${url}/manual/${MOVED.name}/settings/import`, adminToken }, await readFile(archive));
  } finally {
    await codecov.close();
    await rm(folder, { recursive: true });
  }
  const imported = async () => (await api.buildJson(shaOf('tea, oldest'))).status === 200;
  await waitFor(imported, { what: 'the imported builds' });
  const newest = await api.buildJson(MOVED.newest);
  const shown = newest.json.covered_percent?.toFixed(1);
  story.say(`  ${PAST.length} builds imported; Codecov showed ${codecov.shown}%, here ${shown}%`);

  const head = shaOf('tea, head');
  const git = { branch: 'topic', head: { id: head, message: 'Brew slower' } };
  const source_files = [sourceFile('src/brew.js', [1, 1, 0, 1, 0])];
  await api.uploadJob(job({ repo_token: token, commit_sha: head, service_pull_request: '3', git, source_files }));
  const isJudged = async () => {
    const { status, json } = await api.buildJson(head);
    return status === 200 && json.state === 'closed' ? json : undefined;
  };
  const build = await waitFor(isJudged, { what: 'the verdict' });
  if (build.base?.commit_sha !== MOVED.newest) throw new Error('The base is not the imported build');
  describeBuild(story, build);
  story.say(
    `  its next pull request: ${build.verdict?.state}, compared with the imported ${build.base.commit_sha.slice(0, 7)}`,
  );
}

/** As the page's two forms do. */
async function bringArchive(at: { readonly page: string; readonly adminToken: string }, archive: Buffer) {
  const headers = { authorization: `token ${at.adminToken}` };
  const file = new FormData();
  file.set('file', new Blob([new Uint8Array(archive)]), 'history.tgz');
  for (const body of [file, new URLSearchParams({ do: 'start' })]) {
    const { status } = await fetch(at.page, { method: 'POST', redirect: 'manual', headers, body });
    if (status !== 303) throw new Error(`The page answered ${status}`);
  }
}
