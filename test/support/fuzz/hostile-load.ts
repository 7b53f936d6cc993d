import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, startChild } from '../child-process.ts';
import { type CoverageApi, coverageApi } from '../coverage-api.ts';
import { openRaw } from '../raw-http.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { waitFor } from '../wait-for.ts';
import type { HostileSummary } from './hostile-client.ts';

const MIB = 2 ** 20;
const hostileClient = fileURLToPath(new URL('./hostile-client.ts', import.meta.url));

/** What others were answered during an attack, and how long each waited, in ms. */
export interface Answered {
  readonly status: number;
  readonly ms: number;
}

export interface AttackedServer {
  readonly server: ServerProcess;
  readonly api: CoverageApi;
  /** For a repo. */
  readonly token: string;
}

export async function startAttacked(env: Readonly<Record<string, string>> = {}): Promise<AttackedServer> {
  const server = await startServer({ env: { LOG_LEVEL: 'error', WORKER_THREADS: '1', ...env } });
  const api = coverageApi(server.url, server.adminToken);
  const { token } = await api.createRepo({ service: 'manual', name: 'acme/shop' });
  await uploadGood({ server, api, token });
  return { server, api, token };
}

/** Uploads a small good job. */
function uploadGood({ server, api, token }: AttackedServer): Promise<Answered> {
  const source_files = [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }];
  return timed(api.uploadJob({ repo_token: token, source_files }), server);
}

/**
 * An answer, and how long it took: the time that passed, or the server's processor time in the meantime where that is
 * less, since a busy machine makes everybody wait.
 */
export async function timed(
  answer: Promise<{ readonly status: number }>,
  server: Pick<ServerProcess, 'pid'>,
): Promise<Answered> {
  const pid = server.pid() ?? 0;
  const [begun, before] = [performance.now(), processorTime(pid)];
  const { status } = await answer;
  return { status, ms: Math.min(performance.now() - begun, processorTime(pid) - before) };
}

/** Milliseconds of processor of all threads of a process, in steps of ten. Linux alone. */
function processorTime(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return 10 * ((user ?? 0) + (system ?? 0));
}

/** Bombs, endless and trickling bodies and idle connections for 6 s; in the meantime others ask and upload. */
export async function attackWithEverything(
  attacked: AttackedServer,
): Promise<{ readonly summary: HostileSummary; readonly others: readonly Answered[] }> {
  const { server, api } = attacked;
  const args = [String(server.port), '6'];
  const attacker = startChild({ script: hostileClient, args, cwd: server.directory, env: inheritedEnvironment() });
  await waitFor(() => attacker.stdout.includes('begun'), { what: 'the attack to begin', timeoutMs: 60_000 });
  const others: Answered[] = [];
  while (attacker.ended() === undefined) {
    others.push(await timed(api.send('/healthz'), server), await uploadGood(attacked));
    await wait(25);
  }
  return { summary: JSON.parse(attacker.stdout.at(-1) ?? '{}') as HostileSummary, others };
}

/** Bodies of 900 MiB in all that stop before their end; in the meantime others upload. */
export async function attackWithStalledBodies(
  attacked: AttackedServer,
): Promise<{ readonly others: readonly Answered[]; end(): void }> {
  const stalled = await Promise.all(Array.from({ length: 60 }, () => openRaw(attacked.server.port)));
  const max = Buffer.alloc(15 * MIB, 0x20);
  for (const [index, { send }] of stalled.entries()) {
    const framing = index % 2 === 0 ? `Content-Length: ${16 * MIB}` : 'Transfer-Encoding: chunked';
    const chunk = index % 2 === 0 ? '' : `${max.length.toString(16)}\r\n`;
    send(`POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n${chunk}`);
    send(max);
  }
  const others: Answered[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    others.push(await uploadGood(attacked));
    await wait(50);
  }
  return {
    others,
    end() {
      for (const { socket } of stalled) socket.destroy();
    },
  };
}
