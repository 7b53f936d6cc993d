import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import type { PreviewJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { atHead, onBranch } from '../support/histories/places.ts';
import { type Stage, startStage } from '../support/histories/stage.ts';
import { askPreview, cloneOf, previewBody } from '../support/previews/ask-preview.ts';
import { aFile } from '../support/records.ts';
import { openPullScene } from '../support/rendered-output/pull-scene.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ MAX_REPO_JOBS_PER_MINUTE: '20', MAX_UPLOAD_BYTES: '300000' });
});
afterAll(() => stage.end());

const SHA = 'a'.repeat(40);
const jobs = (hits: readonly (number | null)[], fields: object = {}): readonly object[] => [
  { ...job({ repo_token: '' }), repo_token: undefined, source_files: [sourceFile('a.js', [...hits])], ...fields },
];

async function manualRepo() {
  const { service } = stage;
  const { token, name } = await service.newRepo();
  const ask = (body: BodyInit, more: Partial<Parameters<typeof askPreview>[1]> = {}) =>
    askPreview(service.api, { body, token, ...more });
  return { token, name, ask };
}

describe('what is judged', () => {
  /** Build 1 of main covers all; the pull request adds two lines. */
  async function aPull(settings: object = {}, on = stage) {
    const git = on.newGit();
    const root = git.commit('root', { 'a.js': 'a1\na2\n' });
    git.switchTo('topic');
    git.commit('topic', { 'a.js': 'a1\na2\na3\na4\n' });
    const scene = await openPullScene(on, git, settings);
    const { repo } = scene;
    await scene.upload({ number: '1', at: onBranch(root), files: [aFile('a.js', [1, 1])] });
    await scene.close('1');
    const { head } = scene.pull;
    const question = {
      head_sha: head,
      base_branch: 'main',
      merge_base_sha: root,
      diffs: [cloneOf(git).diff(root, head)],
    };
    const ask = (hits: readonly number[], more: object = {}) =>
      askPreview(on.service.api, {
        body: previewBody({ ...question, ...more }, jobs(hits)),
        token: repo.token,
      });
    return { scene, ask, root };
  }

  test('the verdict, its sentence, what is not covered and what would pass', async () => {
    const { ask, root } = await aPull({ patch_status: true, patch_minimum: 80 });
    const { status, json } = await ask([1, 1, 0, 1]);
    const sentence =
      `75.00%, −25.00 points from 100.00%: no decrease allowed (base ${root.slice(0, 7)}, merge base). ` +
      '50.00% of the change covered; cover 1 more to pass';
    expect(status).toBe(200);
    expect(json).toMatchObject({
      passes: false,
      verdict: { state: 'failure', rule: 'no-decrease' },
      sentence,
      statuses: [
        { context: 'coverage', state: 'failure', description: sentence },
        { context: 'coverage/patch', state: 'failure', description: expect.stringContaining('minimum of 80%') },
      ],
      covered_percent: 75,
      coverage_change: -25,
      base: { commit_sha: root, rule: 'merge-base', chosen: 'the merge base', covered_percent: 100 },
      patch: { covered_lines: 1, relevant_lines: 2, files: [{ name: 'a.js', uncovered: [[3, 3]] }] },
      remedies: [
        { of: 'build', count: 1, unit: 'changed-lines', sentence: 'Cover the missed line in this change to pass.' },
        { of: 'patch', count: 1, sentence: expect.stringContaining('Cover the missed line') },
      ],
      files: [{ name: 'a.js', kind: 'changed', covered_percent: 75, base_covered_percent: 100, uncovered: [[3, 3]] }],
      warnings: [],
      wanted_diffs: [],
    });
    expect((await ask([1, 1, 1, 1])).json).toMatchObject({ passes: true, remedies: [], coverage_change: 0 });
  });

  test('a minimum of the changed lines alone has a check and a status, before the upload and after it', async () => {
    const { ask, scene } = await aPull({ patch_minimum: 80 });
    await stage.service.change(scene.repo, { commit_status_fail_change_threshold: 50 });
    const failing = { state: 'failure', failing: ['changes'] };
    const { json } = await ask([1, 1, 0, 1]);
    expect(json).toMatchObject({ passes: false, verdict: { state: 'success' }, overall: failing });
    expect(json.statuses.map(({ context, state }) => `${context}: ${state}`)).toEqual([
      'coverage: success',
      'coverage/patch: failure',
    ]);
    await scene.upload({ number: '2', at: atHead(scene.pull), files: [aFile('a.js', [1, 1, 0, 1])] });
    const told = await scene.told(await scene.close('2'));
    expect(told.json.overall).toMatchObject(failing);
    expect(told.statuses['coverage/patch']).toMatch(/^failure: /);
    expect(told.page).toContain('<section class="composite is-fail"');
    expect(told.comment).toMatch(/^### ❌ /m);
  });

  test('where the pull request’s CI tests the merge commit, the base is its parent', async () => {
    const { scene, ask } = await aPull();
    expect((await ask([1, 1, 1, 1], { tested_at_merge: true })).json.base?.rule).toBe('merge-parent');
    expect((await ask([1, 1, 1, 1])).json.base?.rule).toBe('merge-base');
    await scene.upload({ number: '2', at: atHead(scene.pull), files: [aFile('a.js', [1, 1, 1, 1])] });
    await scene.close('2');
    expect((await ask([1, 1, 1, 1])).json.base?.rule).toBe('merge-base');
  });

  test('nothing is stored, nothing is announced, and nobody is asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'previews-'));
    const path = join(folder, 'coverage.db');
    const filed = await startStage({ DATABASE_URL: `sqlite:${path}` });
    const { ask, scene } = await aPull({ patch_status: true }, filed);
    await scene.upload({ number: '2', at: atHead(scene.pull), files: [aFile('a.js', [1, 1, 1, 1])] });
    await scene.told(await scene.close('2'));
    const before = { tables: readTables(path), requests: filed.github.requests().length };
    expect(Object.keys(before.tables).length).toBeGreaterThan(15);
    expect((await ask([1, 0, 0, 1], { carryforward: 'all', pull_request: 7 })).status).toBe(200);
    expect(await filed.service.store.outbox.nextDueAt()).toBeUndefined();
    expect({ tables: readTables(path), requests: filed.github.requests().length }).toEqual(before);
    await filed.end();
    await rm(folder, { recursive: true });
  });

  test('a repo without a git host: by the newest build of its branch, and the diff that is sent', async () => {
    const { ask, token } = await manualRepo();
    const files = [sourceFile('a.js', [1, 1])];
    const base = { ...job({ repo_token: token }), commit_sha: 'b'.repeat(40), git: { branch: 'main' } };
    await stage.service.uploadAlone({ ...base, source_files: files });
    const hunks = [[2, 1, 2, 1]];
    const diff = { base_sha: 'b'.repeat(40), head_sha: SHA, complete: true };
    const diffs = [{ ...diff, files: [{ name: 'a.js', kind: 'modified', hunks }] }];
    const { json } = await ask(
      previewBody({ head_sha: SHA, base_branch: 'main', merge_base_sha: 'b'.repeat(40), diffs }, jobs([1, 0])),
    );
    expect(json).toMatchObject({
      base: { rule: 'base-branch', chosen: 'newest on base branch main' },
      patch: { source: 'upload', files: [{ name: 'a.js', uncovered: [[2, 2]] }] },
    });
  });

  test('flags of several jobs, gzipped; the same job twice counts once', async () => {
    const { ask } = await manualRepo();
    const [web] = jobs([1, 0], { flag_name: 'web' });
    const [api] = jobs([0, 1], { flag_name: 'api' });
    const body = gzipSync(previewBody({ head_sha: SHA }, [web, web, api] as object[]));
    const { json } = await ask(body, { headers: { 'content-encoding': 'gzip' } });
    expect(json).toMatchObject({ covered_percent: 100, flags: [{ name: 'api' }, { name: 'web' }] });
    expect(json.flags.map((flag) => flag.covered_percent)).toEqual([50, 50]);
  });
});

describe('what is refused', () => {
  const refused = async (answer: Promise<{ status: number; json: Partial<PreviewJson> & { message?: string } }>) => {
    const { status, json } = await answer;
    return [status, json.message];
  };

  test.each<[string, string | undefined, number, string]>([
    ['no question', '', 422, 'The body is empty'],
    ['no JSON', '{"head_sha":\n', 422, 'The first line of a preview must be a JSON object'],
    ['a list', '{}x', 422, 'The first line of a preview must be a JSON object'],
    ['no jobs', `{"head_sha":"${SHA}"}`, 422, 'The preview has no jobs.'],
    ['no commit', previewBody({}, jobs([1])), 422, 'head_sha must be a whole commit sha'],
    ['a short base', previewBody({ head_sha: SHA, merge_base_sha: 'abc' }, jobs([1])), 422, 'merge_base_sha must be'],
    ['ancestors', previewBody({ head_sha: SHA, ancestors: Array(101).fill(SHA) }, jobs([1])), 422, 'at most 100 whole'],
    [
      'a pull request',
      previewBody({ head_sha: SHA, pull_request: '7' }, jobs([1])),
      422,
      'pull_request must be a pull',
    ],
    ['a switch', previewBody({ head_sha: SHA, tested_at_merge: 'no' }, jobs([1])), 422, 'tested_at_merge must be true'],
    ['a branch', previewBody({ head_sha: SHA, branch: {} }, jobs([1])), 422, 'branch must be a text'],
    [
      'diffs',
      previewBody({ head_sha: SHA, diffs: Array(11).fill({}) }, jobs([1])),
      422,
      'diffs must be an array of at',
    ],
    ['flags', previewBody({ head_sha: SHA, carryforward: [{}] }, jobs([1])), 422, 'carryforward'],
    ['jobs', previewBody({ head_sha: SHA }, Array(101).fill(jobs([1])[0])), 422, 'A preview has at most 100 jobs.'],
    ['a job', previewBody({ head_sha: SHA }, [{ source_files: 7 }]), 422, 'source_files must be'],
    ['hits', previewBody({ head_sha: SHA }, jobs([1.5, 'x' as never])), 422, 'coverage'],
    ['size', ' '.repeat(300_001), 413, 'MAX_UPLOAD_BYTES'],
  ])('%s', async (_, body, status, message) => {
    const { ask } = await manualRepo();
    expect(await refused(ask(body ?? ''))).toEqual([status, expect.stringContaining(message)]);
  });

  test('a diff that does not fit is left out, and the answer says so', async () => {
    const { ask } = await manualRepo();
    const { status, json } = await ask(previewBody({ head_sha: SHA, diffs: [{ base_sha: 1 }] }, jobs([1])));
    expect([status, json.warnings]).toEqual([200, [expect.stringContaining("The upload's diff was not used")]]);
  });

  test('nobody, a wrong token, a repo of others, and a repo token for another repo', async () => {
    const { service } = stage;
    const [mine, other] = [await manualRepo(), await manualRepo()];
    const body = previewBody({ head_sha: SHA }, jobs([1]));
    const stranger = await service.tokenOf('stranger');
    const reader = await service.tokenOf('admin', 'administrator');
    const query = `?repo=manual/${mine.name}`;
    const statuses = [
      await askPreview(service.api, { body, query }),
      await mine.ask(body, { token: 'wrong', query }),
      await mine.ask(body, { token: stranger, query }),
      await mine.ask(body, { token: reader }),
      await mine.ask(body, { query: `?repo=manual/${other.name}` }),
      await mine.ask(body, { token: reader, query: '?repo=nonsense' }),
      await mine.ask(body, { token: reader, query }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 404, 422, 404, 404, 200]);
  });

  test('too many within a minute, which hold up no upload', async () => {
    const { ask, token } = await manualRepo();
    const body = previewBody({ head_sha: SHA }, jobs([1]));
    const answers = [];
    for (let count = 0; count < 22; count += 1) answers.push(await ask(body));
    const over = answers.at(-1);
    expect([over?.status, over?.json.message]).toEqual([
      429,
      expect.stringMatching(/previews of the repo .* within a minute; .*MAX_REPO_JOBS_PER_MINUTE/),
    ]);
    expect((await stage.service.api.uploadJob(job({ repo_token: token }))).status).toBe(200);
  });
});

/** Each table of a database file, with a digest of all its rows. */
function readTables(path: string): Readonly<Record<string, string>> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(tables.map(({ name }) => [String(name), digestOf(db, String(name))]));
  } finally {
    db.close();
  }
}

function digestOf(db: DatabaseSync, table: string): string {
  const rows = db.prepare(`SELECT * FROM "${table}"`).all();
  const text = JSON.stringify(rows, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
  return `${rows.length} rows, ${createHash('sha256').update(text).digest('hex')}`;
}
