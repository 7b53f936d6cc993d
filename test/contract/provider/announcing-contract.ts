import { describe, expect, test } from 'vitest';
import type { Annotation, StatusContent } from '../../../server/src/core/announce/delivery.ts';
import type { CheckRunCall } from '../../../server/src/ports/provider.ts';
import {
  type Able,
  createScenes,
  failureOf,
  hostileRepos,
  type OpenScene,
  type ProviderScene,
  repo,
  shaOf,
} from './scene.ts';

const commit = shaOf('head');
const content: StatusContent = {
  kind: 'status',
  state: 'success',
  description: '81.20%',
  targetUrl: 'https://c.example/1',
};
const marker = '<!-- coverage: https://c.example repo 1 -->';
const annotation: Annotation = {
  file: 'web/a b.js',
  firstLine: 3,
  lastLine: 5,
  level: 'warning',
  message: 'Not covered',
};
const checkRun: CheckRunCall = {
  repo,
  commit,
  name: 'coverage annotations',
  detailsUrl: 'https://c.example/1',
  conclusion: 'neutral',
  title: '3 lines',
  summary: 'Some are **not** covered',
  annotations: [annotation],
};

/** What is written: statuses, comments, check runs. */
export function describeAnnouncing(open: OpenScene, able: Able): void {
  const start = createScenes(open);
  const startWithApp = async () => (await start()) as Required<ProviderScene>;

  describe('statuses', () => {
    test('are set and read back, the newest of the context in any case', async () => {
      const { host, provider } = await start();
      host.addCommit(repo, { sha: commit, branch: 'main' });
      expect(await provider.readStatus({ repo, commit, context: 'coverage' })).toBeUndefined();
      await provider.setStatus({ repo, commit, context: 'coverage', content: { ...content, state: 'pending' } });
      await provider.setStatus({ repo, commit, context: 'coverage (ui)', content: { ...content, state: 'failure' } });
      await provider.setStatus({ repo, commit, context: 'coverage', content });
      const { kind: _, ...shown } = content;
      expect(await provider.readStatus({ repo, commit, context: able.cased ? 'coverage' : 'Coverage' })).toEqual(shown);
      expect(host.lastStatuses(repo, commit).get('coverage')).toMatchObject({
        state: 'success',
        description: '81.20%',
      });
    });

    test('of unknown commits and repos are refused for good', async () => {
      const { provider } = await start();
      const call = { repo, commit, context: 'coverage', content };
      expect(await failureOf(provider.setStatus(call))).toMatchObject({
        kind: 'permanent',
        status: able.noCommit,
      });
      expect(await failureOf(provider.setStatus({ ...call, repo: 'acme/none' }))).toMatchObject({ kind: 'permanent' });
    });
  });

  describe('comments', () => {
    test('are created, found by their first line, edited, and gone when deleted', async () => {
      const { host, provider } = await start();
      host.addPullRequest(repo, { number: 7, headSha: commit, baseRef: 'main' });
      const place = { repo, pullRequest: 7 };
      host.addComment(repo, { pullRequest: 7, login: 'mona', body: `${marker}\nnot ours` });
      expect(await provider.findComment({ ...place, marker })).toBeUndefined();
      const commentId = await provider.createComment({ ...place, body: `${marker}\nhello` });
      expect(await provider.findComment({ ...place, marker })).toEqual({ id: commentId, body: `${marker}\nhello` });
      expect(await provider.updateComment({ ...place, commentId, body: `${marker}\nbye` })).toBe('updated');
      expect(host.comments(repo, 7).at(-1)).toMatchObject({ body: `${marker}\nbye`, edits: 1 });
      host.removeComment(repo, Number(commentId));
      expect(await provider.updateComment({ ...place, commentId, body: 'x' })).toBe('gone');
      expect(await failureOf(provider.createComment({ repo, pullRequest: 8, body: 'x' }))).toMatchObject({
        kind: 'permanent',
        status: 404,
      });
    });
  });

  describe.runIf(able.checkRuns)('check runs', () => {
    test('are created; an update replaces all but the annotations, which stay; gone when unknown', async () => {
      const { host, appProvider } = await startWithApp();
      host.addCommit(repo, { sha: commit });
      const checkRunId = await appProvider.createCheckRun(checkRun);
      const shown = {
        id: checkRunId,
        name: 'coverage annotations',
        detailsUrl: 'https://c.example/1',
        status: 'completed',
      };
      const annotations = [
        { path: 'web/a b.js', start_line: 3, end_line: 5, annotation_level: 'warning', message: 'Not covered' },
      ];
      expect(host.checkRuns(repo, commit)).toMatchObject([
        { ...shown, conclusion: 'neutral', title: '3 lines', summary: 'Some are **not** covered', annotations },
      ]);
      const better = { ...checkRun, conclusion: 'success', title: '2 lines', summary: 'Fewer' } as const;
      expect(await appProvider.updateCheckRun({ ...better, checkRunId })).toBe('updated');
      expect(host.checkRuns(repo, commit)).toMatchObject([
        { ...shown, conclusion: 'success', title: '2 lines', summary: 'Fewer', annotations },
      ]);
      expect(host.checkRuns(repo, commit)[0]?.annotations).toHaveLength(1);
      expect(await appProvider.updateCheckRun({ ...checkRun, checkRunId: Number(checkRunId) + 1 })).toBe('gone');
    });

    test('take fifty annotations', async () => {
      const { host, appProvider } = await startWithApp();
      host.addCommit(repo, { sha: commit });
      await appProvider.createCheckRun({ ...checkRun, annotations: Array.from({ length: 50 }, () => annotation) });
      expect(host.checkRuns(repo, commit)[0]?.annotations).toHaveLength(50);
    });

    test('are found while they say exactly the same and no newer one of the name hides them', async () => {
      const { host, appProvider } = await startWithApp();
      for (const sha of [commit, shaOf('other')]) host.addCommit(repo, { sha });
      expect(await appProvider.findCheckRun(checkRun)).toBeUndefined();
      expect(await appProvider.findCheckRun({ ...checkRun, commit: shaOf('unknown') })).toBeUndefined();
      const first = await appProvider.createCheckRun(checkRun);
      expect(await appProvider.findCheckRun(checkRun)).toBe(first);
      const moved = { ...annotation, firstLine: 4 };
      const others: readonly Partial<CheckRunCall>[] = [
        { commit: shaOf('other') },
        { name: 'coverage' },
        { conclusion: 'success' },
        { title: '4 lines' },
        { summary: 'Others' },
        { detailsUrl: 'https://c.example/2' },
        { annotations: [moved] },
        { annotations: [] },
      ];
      for (const other of others) expect(await appProvider.findCheckRun({ ...checkRun, ...other })).toBeUndefined();
      await appProvider.createCheckRun({ ...checkRun, name: 'another' });
      expect(await appProvider.findCheckRun(checkRun)).toBe(first);
      const updated = { ...checkRun, title: '4 lines' };
      await appProvider.updateCheckRun({ ...updated, checkRunId: first });
      expect([await appProvider.findCheckRun(checkRun), await appProvider.findCheckRun(updated)]).toEqual([
        undefined,
        first,
      ]);
      const second = await appProvider.createCheckRun({ ...checkRun, annotations: [moved] });
      expect(await appProvider.findCheckRun(updated)).toBeUndefined();
      expect(await appProvider.findCheckRun({ ...checkRun, annotations: [moved] })).toBe(second);
    });

    test('are refused without an App, and with more than 50 annotations', async () => {
      const { host, plainProvider, appProvider } = await startWithApp();
      host.addCommit(repo, { sha: commit });
      const refused = await failureOf(Promise.resolve(plainProvider.createCheckRun?.(checkRun)));
      expect(refused).toMatchObject({
        kind: 'permanent',
        status: 403,
        message: expect.stringMatching(/only an? (GitHub )?App may/),
      });
      const many = Array.from({ length: 51 }, () => annotation);
      expect(await failureOf(appProvider.createCheckRun({ ...checkRun, annotations: many }))).toMatchObject({
        kind: 'permanent',
      });
      expect(host.checkRuns(repo, commit)).toEqual([]);
      const unknown = appProvider.createCheckRun({ ...checkRun, commit: shaOf('unknown') });
      expect(await failureOf(unknown)).toMatchObject({ kind: 'permanent', status: 422 });
    });
  });

  test.each(hostileRepos(able))('nothing is written to %j', async (name) => {
    const { provider, appProvider } = await start();
    const place = { repo: name, commit, pullRequest: 7 };
    for (const call of [
      provider.setStatus({ ...place, context: 'coverage', content }),
      provider.createComment({ ...place, body: 'x' }),
      provider.updateComment({ ...place, commentId: 1, body: 'x' }),
      ...(appProvider === undefined
        ? []
        : [
            appProvider.createCheckRun({ ...checkRun, repo: name }),
            appProvider.updateCheckRun({ ...checkRun, repo: name, checkRunId: 1 }),
            appProvider.findCheckRun({ ...checkRun, repo: name }),
          ]),
    ])
      expect(await failureOf(call)).toMatchObject({ kind: 'permanent', status: undefined });
  });
}
