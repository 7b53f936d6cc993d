import { createHash } from 'node:crypto';
import type { JobPayload, SourceFile } from '@coverage/shared';
import type { Build } from '../server/src/domain/builds/build.ts';
import { createBuildRows } from '../server/src/store/sqlite/build-rows.ts';
import { connect } from '../server/src/store/sqlite/connection.ts';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchServer } from './service-deployments.ts';

export const FILES = 5_000;
export const FLAGS = 1_200;
export const LONG_FILE = 20_000;
export const BUILDS = 100_000;

const WIDE = 'acme/wide';
const LONG = 'acme/long';
const OLD = 'acme/old';
const LONG_NAME = 'src/generated/long.ts';
/** Uploads that are sent at a time. */
const AT_ONCE = 8;
const DAY = 86_400_000;
/** Over so many days the builds are spread. */
const DAYS = 730;
const PER_TRANSACTION = 2_000;

/** A page that is measured. */
export interface WebPage {
  readonly what: string;
  readonly path: string;
}

/** Fills a server on SQLite, which is stopped in between, and answers the pages that are to be measured. */
export async function fillWeb(server: BenchServer): Promise<readonly WebPage[]> {
  const wide = await uploadWide(server);
  const long = await uploadLong(server);
  const old = await uploadOld(server);
  await server.stop();
  addBuilds(server.database, Number(old));
  await server.restart();
  const build = `/manual/${WIDE}/builds/${wide}`;
  return [
    { what: `build page: ${FILES} files, ${FLAGS} flags`, path: `/builds/${wide}` },
    { what: `files page: ${FILES} files`, path: `${build}/tree` },
    { what: 'the same files sought by name', path: `${build}/tree?q=component` },
    { what: `file page: ${LONG_FILE} lines`, path: `/manual/${LONG}/builds/${long}/file/${LONG_NAME}` },
    { what: `repo page: ${BUILDS} builds`, path: `/manual/${OLD}` },
    { what: 'the same, its last page', path: `/manual/${OLD}?page=${BUILDS / 10}` },
    { what: 'the same, sought by a title', path: `/manual/${OLD}?q=thing` },
  ];
}

/** Two builds of a branch, the second with changed lines and with other hits in a tenth of its files. */
async function uploadWide({ api, closed }: BenchServer): Promise<string> {
  const { token } = await api.createRepo({ service: 'manual', name: WIDE });
  const shape = { ...SHAPES.S, files: FILES };
  const before = generateJob(shape, 1).source_files;
  const other = generateJob(shape, 2).source_files;
  const after = before.map((file, index) => (index % 10 === 0 ? (other[index] ?? file) : file));
  let last = '';
  for (const [n, files] of [before, after].entries()) {
    const jobs = Array.from(
      { length: FLAGS },
      (_, flag): JobPayload => ({
        ...envelope(token, n + 1),
        service_job_id: `${n}-${flag}`,
        parallel: true,
        flag_name: `suite-${flag + 1}`,
        ...(n > 0 && flag === 0 && { diff: changeOf(files) }),
        source_files: files
          .filter((_, index) => index % FLAGS === flag)
          .map((file, index) => withText(file, n === 1 && index < 2)),
      }),
    );
    await uploadAll(api, jobs);
    const { json } = await api.closeBuild({ repo_token: token, build_num: String(n + 1) });
    last = (json.url ?? '').split('/').at(-1) ?? '';
    await closed(last);
  }
  return last;
}

/** A file with its text, as an upload of a manual repo brings it. */
function withText(file: SourceFile, sent: boolean): SourceFile {
  return sent ? { ...file, source: textOf(file.coverage.length) } : file;
}

async function uploadAll(api: BenchServer['api'], jobs: readonly JobPayload[]): Promise<void> {
  const left = jobs.values();
  const upload = async (): Promise<void> => {
    for (const job of left) {
      const { status, text } = await api.uploadJob(job);
      if (status !== 200) throw new Error(`A job was answered ${status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, upload));
}

/** Twenty lines in the middle of forty files. */
function changeOf(files: readonly SourceFile[]): NonNullable<JobPayload['diff']> {
  const changed = files.filter((_, index) => index % 10 === 0).slice(0, 40);
  return {
    base_sha: commitOf(1),
    head_sha: commitOf(2),
    complete: true,
    files: changed.map(({ name, coverage }) => {
      const at = Math.max(1, Math.floor(coverage.length / 2));
      return { name, kind: 'modified' as const, hunks: [[at, 12, at, 20]] };
    }),
  };
}

async function uploadLong({ api, closed }: BenchServer): Promise<string> {
  const { token } = await api.createRepo({ service: 'manual', name: LONG });
  const [file] = generateJob({ ...SHAPES.S, files: 1, lines: LONG_FILE }, 1).source_files;
  if (file === undefined) throw new Error('a job of one file has none');
  const whole = Array.from({ length: LONG_FILE }, (_, line) => file.coverage[line % file.coverage.length] ?? null);
  const long = { ...file, name: LONG_NAME, coverage: whole, source: textOf(LONG_FILE) };
  await uploadAll(api, [{ ...envelope(token, 1), source_files: [long] }]);
  return (await closed(commitOf(1), token)).id;
}

/** One build, which the others are copies of. */
async function uploadOld({ api, closed }: BenchServer): Promise<string> {
  const { token } = await api.createRepo({ service: 'manual', name: OLD });
  const job = generateJob(SHAPES.S, 1);
  const flags = ['unit', 'http', 'browser'].map((flag_name, index) => ({
    ...envelope(token, 1),
    service_job_id: String(index),
    parallel: true,
    flag_name,
    source_files: job.source_files.filter((_, file) => file % 3 === index),
  }));
  await uploadAll(api, flags);
  await api.closeBuild({ repo_token: token, build_num: '1' });
  return (await closed(commitOf(1), token)).id;
}

function envelope(repo_token: string, number: number): Omit<JobPayload, 'source_files'> {
  const id = commitOf(number);
  const head = { id, message: 'Speed the thing up', author_name: 'Mona Lisa', committer_name: 'Mona Lisa' };
  return {
    repo_token,
    service_name: 'bench',
    service_number: String(number),
    commit_sha: id,
    git: { head: { ...head, author_email: '', committer_email: '' }, branch: 'main', remotes: [] },
  };
}

/** Copies of a build under other numbers, commits and times: of main, of other branches and of pull requests. */
function addBuilds(path: string, templateId: number): void {
  const connection = connect({ path, busyTimeout: 10_000 });
  try {
    const rows = createBuildRows(connection);
    const template = connection.read(() => rows.find(templateId));
    if (template === undefined) throw new Error('the build to copy is gone');
    const start = Date.now() - DAYS * DAY;
    for (let first = 2; first <= BUILDS; first += PER_TRANSACTION)
      connection.write(() => {
        for (let n = first; n < first + PER_TRANSACTION && n <= BUILDS; n += 1)
          rows.insert(copyOf(template, n, start + (n / BUILDS) * DAYS * DAY));
      });
    connection.write(() => {
      connection.prepare(`UPDATE counters SET value = ? WHERE name = 'build'`).run(templateId + BUILDS);
      connection.prepare('UPDATE repos SET last_sequence = ? WHERE id = ?').run(BUILDS, template.repoId);
    });
  } finally {
    void connection.close();
  }
}

function copyOf(template: Build, n: number, at: number): Build {
  const createdAt = Math.round(at);
  const ofPull = n % 3 === 0;
  const branch = ofPull ? `feature-${Math.ceil(n / 12)}` : n % 10 === 1 ? `release-${n % 60}` : 'main';
  return {
    ...template,
    id: template.id + n - 1,
    sequence: n,
    number: String(n),
    serviceNumber: String(n),
    commit: commitOf(n),
    target: undefined,
    branch,
    pullRequest: ofPull ? Math.ceil(n / 12) : undefined,
    message: `Speed the thing up, for the time number ${n}`,
    createdAt,
    lastJobAt: createdAt,
    result: template.result && { ...template.result, closedAt: createdAt },
  };
}

function commitOf(number: number): string {
  return createHash('sha1').update(`bench ${number}`).digest('hex');
}

const TEXT = [
  'export function total(prices: readonly Price[], rate = 0.19): number {',
  "  const words = ['net', 'gross', 'rate ' + rate]; // what the bill says",
  '  for (const { amount, taxed } of prices) {',
  '    if (taxed && amount > 1_000) sum += Math.round(amount * (1 + rate));',
  '    else sum += amount;',
  '  }',
  '  return sum;',
  '}',
];

function textOf(lines: number): string {
  return Array.from({ length: lines }, (_, line) => TEXT[line % TEXT.length]).join('\n');
}
