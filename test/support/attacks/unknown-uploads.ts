import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Answered, type AttackedServer, timed } from '../fuzz/hostile-load.ts';
import { type Attack, atMost } from './attack.ts';

/** Unpacks to this many bytes: within what a report may have. */
const JOB_BYTES = 200 * 2 ** 20;
const UPLOADS = 20;
const ROUNDS = 25;
const WARM_UP = 10;
const STRANGERS = 4;
/** Milliseconds that they continue. */
const DURATION = 15_000;

const FILES = '"source_files":[{"name":"a.ts","coverage":[';
const hits = (bytes: number): string => `${'1,'.repeat(bytes / 2)}1]}]`;
const pack = (job: string): Uint8Array<ArrayBuffer> => Uint8Array.from(gzipSync(job, { level: 9 }));

/** 200 MB of hits in some 200 KB, with a token that nobody knows at the beginning or at the end. */
const tokenFirst = (): Uint8Array<ArrayBuffer> => pack(`{"repo_token":"cvr_nobodys",${FILES}${hits(JOB_BYTES)}}`);
const tokenLast = (): Uint8Array<ArrayBuffer> => pack(`{${FILES}${hits(JOB_BYTES)},"repo_token":"cvr_nobodys"}`);

async function post(url: string, body: Uint8Array<ArrayBuffer>): Promise<{ readonly status: number }> {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer;
}

/**
 * Milliseconds of processor that a process's threads have used, except for those of V8's collector and compiler, which
 * work off what all requests left. Linux alone.
 */
function processorTime(pid: number): number {
  const read = (id: string, what: string): string => readFileSync(`/proc/${pid}/task/${id}/${what}`, 'latin1');
  const threads = readdirSync(`/proc/${pid}/task`).filter((id) => !read(id, 'comm').startsWith('V8'));
  return threads.reduce((sum, id) => sum + Number(read(id, 'schedstat').split(' ')[0]), 0) / 1e6;
}

/**
 * Milliseconds of processor for an upload whose token nobody knows, beyond those for reading and dropping its body: the
 * median of rounds in which both are asked in turn, since the collector may run in any of them.
 */
async function costOfUnknownUpload({ server }: AttackedServer): Promise<number> {
  const body = tokenFirst();
  const costOf = async (path: string): Promise<number> => {
    const before = processorTime(server.pid() ?? 0);
    for (let count = 0; count < UPLOADS; count += 1) await post(server.url + path, body);
    return (processorTime(server.pid() ?? 0) - before) / UPLOADS;
  };
  const beyond: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    beyond.push((await costOf('/api/v1/jobs')) - (await costOf('/nowhere')));
  // The first rounds warm the server up, as one that is attacked is.
  return beyond.slice(WARM_UP).sort((a, b) => a - b)[Math.floor((ROUNDS - WARM_UP) / 2)] ?? 0;
}

interface StrangersAttack {
  /** For the strangers' uploads. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Bytes a second that they sent. */
  readonly rate: number;
  /** Valid uploads in the meantime, small and large ones. */
  readonly others: readonly Answered[];
}

/** Four strangers send jobs that end with their token, again and again; in the meantime a repo uploads. */
async function attackWithStrangers({ server, api, token }: AttackedServer): Promise<StrangersAttack> {
  const body = tokenLast();
  const begun = performance.now();
  const isOver = (): boolean => performance.now() - begun > DURATION;
  const statuses: Record<string, number> = {};
  const attack = async (): Promise<void> => {
    while (!isOver()) {
      const { status } = await post(`${server.url}/api/v1/jobs`, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const strangers = Promise.all(Array.from({ length: STRANGERS }, attack));
  const others: Answered[] = [];
  const coverage = Array.from({ length: 100_000 }, (_, line) => (line * 7_919) % 1_009);
  for (let turn = 0; !isOver(); turn += 1) {
    const file = turn % 2 === 0 ? [1, 0, null] : coverage;
    const source_files = [{ name: 'a.ts', coverage: file, source: String(turn) }];
    const job = { repo_token: token, service_number: String(turn), source_files };
    others.push(await timed(api.uploadJob(job), server));
  }
  await strangers;
  const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0) * body.length;
  return { statuses, rate: (sent / DURATION) * 1_000, others };
}

/** Uploads whose token nobody knows: cheap where it stands first, and in nobody's way where it stands last. */
export const unknownUploads: Attack = {
  name: 'unknown-uploads',
  async run(start) {
    const attacked = await start();
    const cost = await costOfUnknownUpload(attacked);
    const { statuses, rate, others } = await attackWithStrangers(attacked);
    const attack = `four strangers, ${Math.round(rate / 1_000)} KB/s, answered ${JSON.stringify(statuses)}`;
    const refused = others.filter(({ status }) => status !== 200).length;
    return [
      atMost(2, {
        attack: 'an upload with an unknown token',
        of: 'processor beyond reading it',
        measured: cost,
        unit: 'ms',
      }),
      atMost(2_000, {
        attack,
        of: 'the longest of the valid uploads',
        measured: Math.max(...others.map(({ ms }) => ms)),
        unit: 'ms',
      }),
      atMost(0, { attack, of: `refused of ${others.length} valid uploads`, measured: refused, unit: 'uploads' }),
    ];
  },
};
