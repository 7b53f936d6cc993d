import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, startChild, type WatchedChild } from '../child-process.ts';
import { job, type RepoJson, shaOf, sourceFile } from '../coverage-api.ts';
import type { Service } from '../service.ts';

const KEY = randomBytes(32).toString('hex');
const COMMANDS = {
  export: fileURLToPath(new URL('../../../server/src/cli/export.ts', import.meta.url)),
  import: fileURLToPath(new URL('../../../server/src/cli/import.ts', import.meta.url)),
};

/** What both servers and both commands are started with. */
export function settingsOf(DATABASE_URL: string): Readonly<Record<string, string>> {
  return { DATABASE_URL, SECRET_KEY: KEY };
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Begins one of the commands on a database. */
export function begin(name: keyof typeof COMMANDS, url: string, args: readonly string[]): WatchedChild {
  const env = { ...inheritedEnvironment(), ...settingsOf(url) };
  return startChild({ script: COMMANDS[name], args, cwd: '/tmp', env });
}

/** Runs one of them to its end. */
export async function run(name: keyof typeof COMMANDS, url: string, ...args: readonly string[]): Promise<Outcome> {
  const child = begin(name, url, args);
  const { code } = await child.end;
  return { code, stdout: child.stdout.join('\n'), stderr: child.stderr.join('\n') };
}

export const EMAIL = 'ann@example.org';

export interface FilledRepo {
  readonly repo: RepoJson & { readonly token: string };
  /** In order; the last one is open. */
  readonly builds: readonly string[];
}

/** A repo with a little of everything that an export takes along. */
export async function fillRepo(service: Service, name = 'acme/moved'): Promise<FilledRepo> {
  const repo = await service.newRepo({ name });
  await service.change(repo, { commit_status_fail_threshold: 40 });
  const upload = (number: number, fields: object) =>
    service.upload(push(repo.token, number, { git: gitOf(number), ...fields }));
  const first = await upload(1, { source_files: files([1, 0, 3]) });
  await service.closed(first.build);
  const legs = { parallel: true, service_name: 'ci' };
  const second = await upload(2, { ...legs, flag_name: 'unit', source_files: files([1, 1, 3, null]) });
  await upload(2, { ...legs, flag_name: 'e2e', source_files: files([0, 2 ** 40]) });
  await service.close(repo.token, 2);
  const third = await upload(3, { ...legs, flag_name: 'unit', source_files: files([1, 0, 0]) });
  await service.close(repo.token, 3, 'e2e');
  const pull = await upload(4, { service_pull_request: '7', source_files: files([1, 1, 1]) });
  await service.closed(pull.build);
  const open = await upload(5, { ...legs, source_files: files([1]) });
  return { repo, builds: [first, second, third, pull, open].map(({ build }) => build) };
}

/** A push to main, as a job. */
export function push(token: string, number: number, fields: object): object {
  return job({
    repo_token: token,
    service_number: String(number),
    commit_sha: shaOf(`commit ${number}`),
    git: gitOf(number),
    ...fields,
  });
}

function gitOf(number: number): object {
  const message = `Change ${number}\n\nSigned-off-by: Ann <${EMAIL}>`;
  const people = { author_name: 'Ann', author_email: EMAIL, committer_name: 'Ann', committer_email: EMAIL };
  return { branch: 'main', head: { id: shaOf(`commit ${number}`), message, ...people } };
}

export function files(coverage: readonly (number | null)[]): readonly object[] {
  const source = coverage.map((_, line) => `line ${line} é`).join('\n');
  const branches = [1, 0, 0, 4, 1, 0, 1, 0];
  return [
    { ...sourceFile('src/a.ts', [...coverage]), source, branches },
    { ...sourceFile('src/ü b.ts', [0, 1]), source_digest: 'ABCDEF' },
  ];
}
