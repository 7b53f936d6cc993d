import type { JobPayload, SourceFile } from '@coverage/shared';
import { generateJob, SHAPES } from './generate-job.ts';
import { BUILDS, commitOf } from './many-builds.ts';
import type { BenchServer } from './service-deployments.ts';

const FILES = 5_000;
const FLAGS = 1_200;
const LONG_FILE = 20_000;

const WIDE = 'acme/wide';
const LONG = 'acme/long';
const OLD = 'acme/old';
const LONG_NAME = 'src/generated/long.ts';
/** Uploads that are sent at a time. */
const AT_ONCE = 8;

/** A page that is measured. */
export interface WebPage {
  readonly what: string;
  readonly path: string;
}

/** What is measured, and the build that BUILDS of its repo are to be copies of. */
export interface WebScenes {
  readonly pages: readonly WebPage[];
  readonly template: number;
}

/** Uploads to a server what its pages are to show, except for the many builds. */
export async function uploadScenes(server: BenchServer): Promise<WebScenes> {
  const wide = await uploadWide(server);
  const long = await uploadLong(server);
  const template = Number(await uploadOld(server));
  const build = `/manual/${WIDE}/builds/${wide}`;
  const pages = [
    { what: `build page: ${FILES} files, ${FLAGS} flags`, path: `/builds/${wide}` },
    { what: `files page: ${FILES} files`, path: `${build}/tree` },
    { what: 'the same files sought by name', path: `${build}/tree?q=component` },
    { what: `file page: ${LONG_FILE} lines`, path: `/manual/${LONG}/builds/${long}/file/${LONG_NAME}` },
    { what: `repo page: ${BUILDS} builds`, path: `/manual/${OLD}` },
    { what: 'the same, its last page', path: `/manual/${OLD}?page=${BUILDS / 10}` },
    { what: 'the same, sought by a title', path: `/manual/${OLD}?q=thing` },
  ];
  return { pages, template };
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
