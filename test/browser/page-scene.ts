import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { newPerson } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

/** A server with something on each of its pages; addresses are paths. */
export interface PageScene {
  readonly service: Service;
  /** A repo with a history. */
  readonly repo: string;
  /** One that nothing was uploaded to. */
  readonly empty: string;
  readonly head: string;
  readonly builds: Readonly<Record<'passed' | 'failed' | 'accepted' | 'pending' | 'incomplete', string>>;
  readonly job: string;
  /** Its text was sent. */
  readonly file: string;
  /** Its text was not. */
  readonly fileWithoutText: string;
}

const [BASE, HEAD] = [shaOf('base'), shaOf('head')];
const LONG = 'packages/a-rather-long-name-of-a-package/src/a-long-name-of-a-file-without-any-blank.ts';
const OLD = ['const a = 1;', 'return a;', ''].join('\n');
const NEW = ['const a = 1;', 'if (a < b) {', `  return "${'wide '.repeat(50)}";`, '}', ''].join('\n');
const other = sourceFile('src/other.ts', [1, 0, 1]);
const HOUR = 3_600_000;

/** `root` administers it; `rita` reads the repo with a history. */
export async function startPageScene(): Promise<PageScene> {
  const service = await startService();
  await newPerson(service, 'root', true);
  const rita = await newPerson(service, 'rita');
  const incomplete = await incompleteBuild(service);
  const { token, name } = await service.newRepo({ name: 'acme/shop', commit_status_fail_change_threshold: 0 });
  const upload = (fields: object) => service.uploadAlone({ ...job({ repo_token: token }), ...fields });
  const flags = (number: string, lines: (number | null)[]) =>
    upload({
      ...{ service_number: number, commit_sha: shaOf(number), flag_name: 'web' },
      source_files: [sourceFile(LONG, lines), other],
    });
  await flags('1', [1, 0]);
  const excluded = await flags('2', [1, 1]);
  const passed = await upload({
    ...{ commit_sha: BASE, service_number: '3', flag_name: 'web' },
    source_files: [sourceFile(LONG, [1, 1], { source: OLD }), other],
  });
  const pull = (number: string, fields: object) =>
    upload({
      ...{ commit_sha: HEAD, service_number: number, service_pull_request: number, compare_sha: BASE },
      diff: {
        ...{ base_sha: BASE, head_sha: HEAD, complete: true },
        files: [{ name: LONG, kind: 'modified', hunks: [[2, 1, 2, 3]] }],
      },
      flag_name: 'web',
      source_files: [sourceFile(LONG, [1, 1, 0, 1], { source: NEW, branches: [2, 0, 0, 1, 2, 0, 1, 0] }), other],
      ...fields,
    });
  const accepted = await pull('8', { commit_sha: shaOf('accepted') });
  const failed = await pull('7', {});
  const sent = await service.upload({
    ...job({ repo_token: token, commit_sha: shaOf('pending'), service_number: '9' }),
    ...{ parallel: true, flag_name: 'web' },
  });
  await service.api.uploadJob({ ...job({ repo_token: token }), source_files: [{ ...other, branches: [1, 2, 3] }] });
  await ask(service, 'PUT', `/api/v1/builds/${excluded.id}/base`, { excluded: true });
  await ask(service, 'POST', `/api/v1/builds/${accepted.id}/accept`, { reason: 'the old shop closes next week' });
  await ask(service, 'POST', `/api/v1/repos/manual/${name}/share-links`, { name: 'The board' });
  await ask(service, 'PUT', `/api/v1/repos/manual/${name}/members/${rita.id}`, { role: 'reader' });
  const repo = `/manual/${name}`;
  return {
    service,
    repo,
    empty: `/manual/${(await service.newRepo({ name: 'acme/new' })).name}`,
    head: HEAD,
    builds: {
      ...{ passed: passed.id, failed: failed.id, accepted: accepted.id, pending: sent.build, incomplete },
    },
    job: `/jobs/${sent.job}`,
    file: `${repo}/commits/${HEAD}/file/${LONG}`,
    fileWithoutText: `${repo}/commits/${HEAD}/file/${other.name}`,
  };
}

async function ask(service: Service, method: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
  const { status, text } = await service.api.send(path, { method, headers, body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
}

/** One without a flag that its base has, which nobody closed. */
async function incompleteBuild(service: Service): Promise<string> {
  const { token } = await service.newRepo({ name: 'acme/parts' });
  const upload = (number: string, flag_name: string) =>
    service.upload({
      ...job({ repo_token: token, service_number: number, commit_sha: shaOf(number), flag_name }),
      parallel: true,
    });
  await upload('1', 'web');
  await upload('1', 'api');
  await service.close(token, '1');
  const { build } = await upload('2', 'web');
  await service.time.pass(HOUR);
  return (await service.closed(build)).id;
}
