import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const commit = (beginning: string) => beginning.padEnd(40, '0');
const read = async (path: string, token = service.adminToken) => {
  const headers = { accept: 'text/html', ...(token === '' ? {} : { authorization: `token ${token}` }) };
  const { status, text } = await service.api.send(path, { headers });
  return { status, html: text, text: text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') };
};

test('a commit may be given in short, where no other of the repo begins so', async () => {
  const [repo, other] = [await service.newRepo(), await service.newRepo()];
  const upload = (token: string, beginning: string, title: string) =>
    service.uploadAlone(
      job({
        ...{ repo_token: token, service_number: title, commit_sha: commit(beginning) },
        source_files: [sourceFile('src/a.ts', [1, 0])],
        git: { branch: 'main', head: { id: commit(beginning), message: title } },
      }),
    );
  await upload(repo.token, 'abcdef12', 'First <b>');
  await upload(repo.token, 'abcdef13', 'Second');
  await upload(repo.token, 'abcdef13', 'Second again');
  await upload(other.token, 'abcdef129', 'Elsewhere');
  const commits = `/manual/${repo.name}/commits`;
  for (const page of ['abcdef12', 'ABCDEF120', 'abcdef12/tree', 'abcdef12/file/src/a.ts']) {
    const { status, text } = await read(`${commits}/${page}`);
    expect([status, text.includes('First &lt;b>'), text.includes('Second')]).toEqual([200, true, false]);
  }
  expect((await read(`${commits}/abcdef13`)).text).toContain('Second again');
  for (const page of ['abcdef1', 'abcdef1/tree', 'abcdef1/file/src/a.ts']) {
    const { status, text, html } = await read(`${commits}/${page}`);
    expect([status, text.match(/First &lt;b>|Second(?: again)?|Elsewhere/g)]).toEqual([
      300,
      ['Second again', 'First &lt;b>'],
    ]);
    expect(html).toContain('Which commit?');
  }
  for (const page of ['abcdef', 'abcdef2', 'bcdef12', 'abcdef1zz'])
    expect((await read(`${commits}/${page}`)).status).toBe(404);
  expect((await read(`${commits}/abcdef1`, await service.tokenOf('mallory'))).status).toBe(404);
});
