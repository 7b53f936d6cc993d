import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createPlainHost, PLAIN_REPO, PLAIN_SECRET, type PlainHost } from './plain-host.ts';

const [BASE, HEAD, LANDED] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const RUN = '{9f1e0000-0000-4000-8000-000000000009}';
const NAME = PLAIN_REPO.name;

let host: PlainHost;
let service: Service;
let token: string;
beforeAll(async () => {
  host = createPlainHost();
  host.commits.set(BASE, { parent: undefined, files: 'one' });
  host.commits.set(HEAD, { parent: BASE, files: 'two' });
  host.commits.set(LANDED, { parent: BASE, files: 'two' });
  host.changes.set(7, { head: HEAD, base: BASE });
  service = await startService({ hostKinds: [host.kind] });
  ({ token } = await service.newRepo({ service: 'forgejo', name: NAME }));
});
afterAll(() => service.stop());

const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
  repo_token: token,
  service_name: 'plain-ci',
  service_number: commit.slice(0, 4),
  commit_sha: commit,
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
  ...more,
});
const eventually = <T>(what: string, look: () => T | undefined) =>
  waitFor(async () => look(), { what, intervalMs: 5, meanwhile: service.time.skipPause });
const statusOf = (commit: string) => host.statuses.get(`${commit} coverage`);
const page = async (path: string): Promise<string> =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } }))
    .text;

describe('a host of another shape than GitHub’s, from upload to page', () => {
  test('shows one status of each context, with the run that the upload names', async () => {
    await service.uploadAlone(job(BASE, [1, 1, 1, 1], { service_branch: 'main' }));
    const opened = await service.upload(
      job(HEAD, [1, 1, 0, 0], {
        service_pull_request: '7',
        service_run_id: RUN,
        parallel: true,
        service_branch: 'topic',
      }),
    );
    const pending = await eventually('pending', () => statusOf(HEAD));
    expect(pending).toMatchObject({
      repo: NAME,
      pullRequest: 7,
      origin: { ref: 'topic', run: RUN },
      content: { state: 'pending' },
    });
    await service.close(token, HEAD.slice(0, 4));
    await service.closed(opened.build);
    const final = await eventually('failure', () =>
      statusOf(HEAD)?.content.state === 'failure' ? statusOf(HEAD)?.content : undefined,
    );
    expect(final.description).toMatch(/^50\.00%, −50\.00 from 100\.00%/);
    expect([...final.description].length).toBeLessThanOrEqual(60);
    expect([...host.statuses.keys()].filter((key) => key.startsWith(HEAD))).toEqual([`${HEAD} coverage`]);
  });

  test('has one comment in its own Markdown, found by its own marker', async () => {
    const [id, note] = await eventually('a comment', () => [...host.notes][0]);
    expect(id).toBe('note-1');
    expect(note).toMatchObject({ change: 7 });
    const [marker, ...rest] = note.body.split('\n');
    expect(marker).toBe(`[coverage]: # "coverage: ${service.url} repo 1"`);
    expect(rest.join('\n')).toContain('### ❌ Coverage 50.00%');
    expect(rest.join('\n')).toContain('#### How this was compared');
    expect(rest.join('\n')).not.toMatch(/<\/?[a-z]|<!--/i);
    await service.uploadAlone(job(HEAD, [1, 1, 1, 1], { service_pull_request: '7', service_number: 'again' }));
    await eventually('the edit', () => (host.notes.get('note-1')?.body.includes('✅') ? true : undefined));
    expect(host.notes.size).toBe(1);
  });

  test('is spoken of in its own words, and linked to by its own addresses', async () => {
    const { build } = await service.upload(
      job(HEAD, [1, 0, 1, 1], { service_pull_request: '7', service_number: 'third', parallel: true }),
    );
    const shown = await page(`/builds/${build}`);
    expect(shown).toContain('!7</a>');
    expect(shown).toContain('<dt>Merge request</dt>');
    expect(shown).not.toMatch(/#7\b/);
    expect(await page(`/forgejo/${NAME}/pulls/7`)).toContain('<span class="quiet n">!7</span>');
  });

  test('has the lines of the command to paste where it has no CI of its own', async () => {
    await service.newRepo({ service: 'forgejo', name: 'team/empty' });
    const shown = await page('/forgejo/team/empty');
    expect(shown).toContain(`curl -fsS ${service.url}/cli.mjs`);
    expect(shown).not.toContain('uses:');
  });

  test('says of two commits that they hold the same files, by which a merge is adopted', async () => {
    host.changes.set(7, { head: HEAD, base: BASE, landed: LANDED });
    const pull = { number: 7, headCommit: HEAD, baseBranch: 'main', state: 'closed', merged: true } as const;
    const event = {
      kind: 'pull-request-closed',
      repo: PLAIN_REPO,
      pull: { ...pull, landedCommit: LANDED, fromFork: false },
    };
    const { status } = await fetch(`${service.url}/hooks/forgejo`, {
      method: 'POST',
      headers: { 'X-Plain': PLAIN_SECRET, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect(status).toBe(200);
    const landed = await waitFor(
      async () => {
        const builds = await service.store.builds.ofPullRequest(1, 7, 10);
        return builds.flatMap((one) => one.landed ?? [])[0];
      },
      { what: 'a build that landed', intervalMs: 5, meanwhile: service.time.skipPause },
    );
    expect(landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'same-tree' });
  });
});
