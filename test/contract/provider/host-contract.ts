import { describe, expect, test } from 'vitest';
import { Failure } from '../../../server/src/core/failure.ts';
import { isRepoService } from '../../../server/src/core/repo/repo-name.ts';
import { type Able, createScenes, type OpenScene, repo, shaOf } from './scene.ts';

/** What no host may take for its own token: it would be sent there. */
const NOT_ITS_OWN = ['', ' ', `cvr_${'a'.repeat(43)}`, '0123456789abcdef0123456789abcdef', 'a b', 'x\r\ny: 1', 'ä'];
/** What no host may take for a run's id: it becomes part of a path. */
const NO_RUNS = ['', '0', '-1', '1/2', '..', '1e3', ' 1', '1\n', '9'.repeat(30)];

/** What the core asks every host besides its provider. */
export function describeHost(open: OpenScene, able: Able): void {
  const start = createScenes(open);

  describe('its public API', () => {
    test('has a service of the API, a name for sentences, and speaks by a credential', async () => {
      const { face } = await start();
      expect(isRepoService(face.service) && face.service !== 'manual').toBe(true);
      expect(face.name).toMatch(/^\S(.*\S)?$/);
      expect(face.provider).toBeDefined();
      expect(face.credential).not.toBe('');
      for (const loss of Object.values(face.accessLosses)) expect(loss).toMatch(/[^.]$/);
    });

    test('says why nothing is marked, wherever check runs are refused', async () => {
      const { face } = await start();
      if (face.checkRuns?.refusal !== undefined) expect(face.checkRuns.refusal).toMatch(/[^.]$/);
    });

    test('takes no foreign text for its token, and names only its own', async () => {
      const { tokens } = (await start()).face;
      for (const text of NOT_ITS_OWN) expect([text, tokens.kindOf(text)]).toEqual([text, undefined]);
      for (const word of Object.values(tokens.words)) expect(word).not.toBe('');
    });

    test('knows its runs, and no foreign ones', async () => {
      const { runs } = (await start()).face;
      expect([runs.isServiceName(runs.serviceName), runs.isServiceName('jenkins')]).toEqual([true, false]);
      expect(runs.isRunId('123')).toBe(able.runIds);
      for (const text of NO_RUNS) expect([text, runs.isRunId(text)]).toEqual([text, false]);
      expect([runs.triggerOf('push'), runs.triggerOf('no such event')]).toEqual(['push', 'other']);
      expect(runs.botWithoutSecrets('mona')).toBeUndefined();
      expect(runs.isPageOf('https://ci.example/7', '7')).toBe(false);
    });

    test('takes no branch of people for one of its own refs', async () => {
      const { refs } = (await start()).face;
      for (const name of ['main', 'feat/x', 'refs/heads/main', '12/merged', ''])
        expect([name, refs.pullRequestOf(name), refs.queueOf(name)]).toEqual([name, undefined, undefined]);
    });

    test('believes no message without a signature, or with a wrong one', async () => {
      const { webhook } = (await start()).face;
      if (webhook === undefined) return;
      const body = Buffer.from('{}');
      expect(webhook.bodyLimit).toBeGreaterThan(0);
      expect(() => webhook.checkHeaders({ header: () => undefined })).toThrow(Failure);
      await expect(webhook.read({ header: () => undefined, body })).rejects.toThrow(Failure);
      await expect(webhook.read({ header: () => `sha256=${'0'.repeat(64)}`, body })).rejects.toThrow(Failure);
    });

    test('says how it sees this server: its clock, and that no right is missing', async () => {
      const { face } = await start();
      const { address, clocks, signIn, rateLimit } = await face.checkUp();
      expect(new URL(address).href).toContain(address);
      expect(Math.abs((clocks?.host ?? 0) - (clocks?.ours ?? 0))).toBeLessThan(60_000);
      expect(signIn).toMatchObject({ missing: [] });
      if (rateLimit !== undefined) expect(rateLimit.left).toBeLessThanOrEqual(rateLimit.limit);
    });

    test('links to lines of a file at a commit', async () => {
      const { lines } = (await start()).face.linksOf(repo);
      const link = lines?.({ commit: shaOf('one'), file: 'a%20b/c.ts', first: 3, last: 7 });
      if (link === undefined) return;
      expect(new URL(link).href).toBe(link);
      for (const part of [...repo.split('/'), shaOf('one'), 'a%20b/c.ts', '3', '7']) expect(link).toContain(part);
    });
  });
}
