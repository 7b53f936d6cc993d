import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BuildJson } from '@coverage/shared';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost } from './attack.ts';

const FLAGS = 60;
const LINES = 2 ** 24;
const SPREAD_JOBS = 6;
const FILES_PER_JOB = 100_000;
/** A busy server asks for patience, and clients have some. */
const MAX_ATTEMPTS = 6;

/** What builds of few kilobytes that unpack to much came to. */
interface LargeMerges {
  /** MiB that the process held before, and its peak while it closed the build of many flags. */
  readonly before: number;
  readonly peak: number;
  readonly flags: BuildJson;
  readonly spread: BuildJson;
}

/** A build of 60 flags, each with one file of 2^24 lines, and one of 600,000 files; both are closed. */
async function attackWithLargeMerges(attacked: AttackedServer): Promise<LargeMerges> {
  const { server } = attacked;
  const coverage = `[${'1,'.repeat(LINES - 1)}1]`;
  for (let flag = 1; flag <= FLAGS; flag += 1)
    await upload(attacked, `"service_number":"1","flag_name":"f${flag}"`, `{"name":"a.ts","coverage":${coverage}}`);
  const status = `/proc/${server.pid()}/status`;
  // From here on the peak is that of the close.
  await writeFile(`/proc/${server.pid()}/clear_refs`, '5');
  const before = await readMebibytes(status, 'VmRSS');
  const flags = await close(attacked, '1');
  const peak = await readMebibytes(status, 'VmHWM');
  for (let job = 1; job <= SPREAD_JOBS; job += 1) {
    const files = Array.from({ length: FILES_PER_JOB }, (_, n) => `{"name":"${job}/${n}.ts","coverage":[1]}`);
    await upload(attacked, '"service_number":"2"', files.join());
  }
  return { before, peak, flags, spread: await close(attacked, '2') };
}

async function upload({ api, token }: AttackedServer, fields: string, files: string): Promise<void> {
  const job = `{"repo_token":"${token}","parallel":true,${fields},"source_files":[${files}]}`;
  const body = gzipSync(job, { level: 6 });
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  for (let attempt = 1; ; attempt += 1) {
    const { status, text, headers: answered } = await api.uploadBody({ headers, body });
    if (status === 200) return;
    const isBusy = status === 503 && attempt < MAX_ATTEMPTS;
    if (!isBusy) throw new Error(`A job was not taken: ${status} ${text.slice(0, 200)}`);
    await wait(Number(answered.get('retry-after') ?? 1) * 1_000);
  }
}

async function close({ api, token }: AttackedServer, build_num: string): Promise<BuildJson> {
  const { json } = await api.closeBuild({ repo_token: token, build_num });
  const read = async (): Promise<BuildJson | undefined> => {
    const { json: build } = await api.buildJson(json.url);
    return build.state === 'closed' ? build : undefined;
  };
  return waitFor(read, { what: `build ${build_num} to be closed`, timeoutMs: 300_000, intervalMs: 200 });
}

async function readMebibytes(file: string, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const line = (await readFile(file, 'utf8')).split('\n').find((one) => one.startsWith(`${field}:`)) ?? '';
  return Math.round(Number.parseInt(line.slice(field.length + 1), 10) / 1_024);
}

/** MiB above what the process held before that closing builds of few kilobytes may take. */
const MERGE_LIMIT = 1_024;

/** Builds that unpack to much: closed within their memory, or as an error. */
export const largeMerges: Attack = {
  name: 'large-merges',
  async run(start) {
    const { before, peak, flags, spread } = await attackWithLargeMerges(await start());
    const rule = spread.verdict?.rule ?? 'none';
    return [
      atMost(MERGE_LIMIT, {
        attack: `a build of ${FLAGS} flags, each with a file of 2^24 lines`,
        of: 'memory of its close',
        measured: peak - before,
        unit: 'MiB',
      }),
      {
        attack: `a build of ${SPREAD_JOBS * FILES_PER_JOB} files`,
        mustHold: 'it ends by cannot-merge; the other has its flags',
        measured: `${rule}; ${flags.flags.length} flags`,
        passed: rule === 'cannot-merge' && flags.flags.length === FLAGS,
      },
    ];
  },
};
