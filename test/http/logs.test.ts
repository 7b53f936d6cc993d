import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import type { LogLine } from '../support/logbook.ts';
import { newPerson, PASSWORD, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const NAME = 'octo/logged';
const REQUEST = 'request-of-the-logs-test';
const page = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
const DOCUMENTED = [...page.matchAll(/^\| `([^`]+)` \| (debug|info|warn|error) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, sentence = '', level = '', fields = '']) => ({
    sentence,
    level,
    fields: [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => field),
  }),
);

let github: GithubStandIn;
let service: Service;
let repo: RepoJson & { token: string };
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github, env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET } });
  github.addRepo(NAME);
  github.addCommit(NAME, { sha: shaOf('head'), branch: 'main' });
  github.addCommit(NAME, { sha: shaOf('next'), branch: 'main' });
  await tellStory();
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

const lines = (sentence: string): readonly LogLine[] => service.log.lines.filter((line) => line.sentence === sentence);
const fieldsOf = (sentence: string, at = 0): Record<string, unknown> => ({ ...lines(sentence).at(at)?.fields });
const upload = (fields: object) =>
  service.api.send('/api/v1/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'a-client/1', 'x-request-id': REQUEST },
    body: JSON.stringify(fields),
  });
const jobOf = (flag: string) =>
  job({
    repo_token: repo.token,
    service_number: '8',
    commit_sha: shaOf('head'),
    parallel: true,
    flag_name: flag,
    source_files: [sourceFile('a.ts', [1, 0])],
  });

const isStatus = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'POST' && path.includes('/statuses/');

/** Everything that an operator is asked about later. */
async function tellStory(): Promise<void> {
  repo = await service.newRepo({ service: 'github', name: NAME });
  // The first status fails once in passing, and the flag's for good.
  github.faults.next(1, { kind: 'status', status: 503 }, isStatus);
  await upload(jobOf('unit'));
  await upload({ ...jobOf('unit'), source_files: 'none' });
  await service.close(repo.token, '8');
  await service.delivered();
  await service.api.send(`/rerun_build?build_num=8&repo_token=${repo.token}`);
  await service.delivered();
  github.faults.when((request) =>
    isStatus(request) ? { kind: 'status', status: 422, message: 'Validation Failed' } : undefined,
  );
  await upload({ ...jobOf('unit'), service_number: '9', commit_sha: shaOf('next'), parallel: false });
  await waitFor(() => lines('not delivered; given up until something changes')[0], {
    what: 'a delivery that is given up',
    meanwhile: service.time.skipPause,
  });
  await newPerson(service, 'ann');
  await signedIn(service, 'ann');
  await service.change(repo, { commit_status_fail_threshold: 50 });
  await sendDelivery(service.url, {
    event: 'repository',
    payload: { action: 'edited', repository: { id: 1, full_name: 'nobody/nothing' } },
  });
}

describe('the log', () => {
  test('docs/monitoring.md has a table of it', () => {
    expect(DOCUMENTED.length).toBeGreaterThan(10);
  });

  const told = DOCUMENTED.filter(
    ({ sentence }) => !/^request (failed|refused)$|^removed old|^the database is brought/.test(sentence),
  );
  test.each(told)('$sentence: at the level and with the fields that docs state', ({ sentence, level, fields }) => {
    const found = lines(sentence);
    expect(found.map((line) => line.level)).toContain(level);
    const named = new Set(found.flatMap((line) => Object.keys(line.fields)));
    expect(fields.filter((field) => !named.has(field))).toEqual([]);
  });

  test('an accepted upload can be followed from its request to its build’s verdict', async () => {
    const { build, job: stored, repoId, ...rest } = fieldsOf('upload accepted');
    expect(rest).toMatchObject({ request: REQUEST, client: 'a-client/1', flag: 'unit', files: 1, number: '8' });
    expect({ repoId, stored }).toEqual({ repoId: repo.id, stored: expect.any(Number) });
    expect(fieldsOf('answered', -1)).toHaveProperty('request');
    expect(fieldsOf('close requested')).toMatchObject({ repoId, build, jobs: 1 });
    expect(fieldsOf('build closed')).toMatchObject({ repoId, build, jobs: 1, closeCount: 1, state: 'success' });
    expect(fieldsOf('delivered')).toMatchObject({ repoId, repo: NAME, commit: shaOf('head') });
  });

  test('a refused one says what its client was told', () => {
    const [line] = lines('upload refused');
    expect(line?.fields).toMatchObject({ request: REQUEST, client: 'a-client/1', repoId: repo.id });
    expect(line?.fields).toMatchObject({ code: 'payload-invalid', reason: expect.stringContaining('source_files') });
  });

  test('settings and sign-ins are told by number, not by name', () => {
    const entered = lines('entered in the audit log').map(({ fields }) => fields as { action: string });
    expect(entered.find(({ action }) => action === 'settings.changed')).toMatchObject({
      repo: `github/${NAME}`,
      repoId: repo.id,
      after: { minimum: 50 },
    });
    expect(entered.find(({ action }) => action === 'sign-in.succeeded')).toMatchObject({
      by: { kind: 'account', account: expect.any(Number) },
    });
    const text = service.log.text();
    for (const secret of ['"ann"', PASSWORD, repo.token]) expect(text).not.toContain(secret);
  });
});
