import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JobPayload } from '@coverage/shared';
import { createGitRepo, type GitRepo } from '../git-repo.ts';

/** A secret of the checkout, in a plain file that git does not track, and in git's own settings. */
export const PLANTED_SECRET = 'basic c2VjcmV0LW9mLXRoZS1jaGVja291dA';

/** Links that a stranger commits, each with where it leads. */
const LINKS = {
  'src/git.js': '../.git/config',
  'src/env.js': '../.env',
  'src/loose.js': '../loose.js',
  'src/process.js': '/proc/self/environ',
  'src/folder': '../hidden',
  'src/again.js': 'folder/key.js',
  'src/link.js': 'real.js',
} as const;

/** A git repo with committed links to secrets, and one to a source file; its report names them all. */
export function createPlantedCheckout(): GitRepo {
  const repo = createGitRepo();
  mkdirSync(join(repo.directory, 'src'));
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, join(repo.directory, name));
  const ignored = ['/.env', '/loose.js', '/hidden', '/lcov.info', '/.coveralls.yml'];
  repo.commit('Links', { 'src/real.js': 'real();\n', 'src/taken.js': 'taken();\n', '.gitignore': ignored.join('\n') });
  mkdirSync(join(repo.directory, 'hidden'));
  for (const name of ['.env', 'loose.js', 'hidden/key.js']) writeFileSync(join(repo.directory, name), PLANTED_SECRET);
  repo.git('config', 'http.extraheader', PLANTED_SECRET);
  // What git tracks as a file is a link by now.
  rmSync(join(repo.directory, 'src/taken.js'));
  symlinkSync('../.env', join(repo.directory, 'src/taken.js'));
  const names = [...Object.keys(LINKS).filter((name) => name.endsWith('.js')), 'src/real.js', 'src/taken.js'];
  const records = names.map((name) => `SF:${name}\nDA:1,1\nend_of_record\n`);
  writeFileSync(join(repo.directory, 'lcov.info'), records.join(''));
  return repo;
}

/** A server on loopback that takes everything, as an attacker's would. */
export interface Listener {
  readonly url: string;
  /** For each request: its line, its headers and its body. */
  readonly received: () => readonly string[];
  readonly jobs: () => readonly JobPayload[];
  close(): void;
}

export async function startListener(): Promise<Listener> {
  const received: string[] = [];
  const jobs: JobPayload[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const raw = Buffer.concat(pieces);
    const body = raw[0] === 0x1f ? gunzipSync(raw) : raw;
    received.push([`${request.method} ${request.url}`, JSON.stringify(request.headers), body.toString()].join('\n'));
    if (request.url === '/api/v1/jobs') jobs.push(JSON.parse(body.toString()) as JobPayload);
    response.end(JSON.stringify({ message: 'Job #1.1', url: 'http://127.0.0.1/jobs/1', send_source: 'all' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    jobs: () => jobs,
    close: () => void server.close(),
  };
}
