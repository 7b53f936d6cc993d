import { describe, expect, test } from 'vitest';
import { createScenes, HOSTILE_COMMITS, type OpenScene, ofNoRepo, repo, shaOf } from './scene.ts';

const sha = shaOf('files');

/** Files at a commit. */
export function describeFiles(open: OpenScene): void {
  const start = createScenes(open);

  describe('files', () => {
    test('hold their bytes, whatever their names and contents are, up to the size that is asked for', async () => {
      const { host, provider } = await start();
      host.addCommit(repo, { sha, branch: 'main' });
      const large = 'x'.repeat(2 ** 20 + 1);
      const files = { 'src/a b#?%2f.ts': 'a\r\nb', 'é.js': '日本', empty: '', 'large.ts': large };
      for (const [path, content] of Object.entries(files)) host.putFile(repo, { sha, path, content });
      host.putFile(repo, { sha, path: 'bytes', content: Buffer.from([0, 255, 10]) });
      const read = async (path: string, maxBytes = 2 ** 21) => {
        const found = await provider.readFile({ repo, commit: sha, path, maxBytes });
        return found?.kind === 'file' ? Buffer.from(found.bytes) : found;
      };
      for (const [path, content] of Object.entries(files)) expect(String(await read(path))).toBe(content);
      expect(await read('bytes')).toEqual(Buffer.from([0, 255, 10]));
      expect(await read('large.ts', 2 ** 20)).toEqual({ kind: 'too-large', size: 2 ** 20 + 1 });
      expect(await read('src')).toBeUndefined();
      expect(await read('src/none.ts')).toBeUndefined();
    });

    test('of what is no commit, no path and no repo are a definite answer', async () => {
      const { host, provider } = await start();
      host.addCommit(repo, { sha, branch: 'main' });
      const asked = { repo, commit: sha, path: 'a.ts', maxBytes: 9 };
      for (const commit of [...HOSTILE_COMMITS, shaOf('other')])
        expect(await provider.readFile({ ...asked, commit })).toBeUndefined();
      for (const path of ['', '/', '../a.ts', 'a/../../b', 'a//b', './a', 'a/', '\ud800'])
        expect(await provider.readFile({ ...asked, path })).toBeUndefined();
      expect(await ofNoRepo(provider.readFile({ ...asked, repo: 'acme/none' }))).toBeUndefined();
    });
  });
}
