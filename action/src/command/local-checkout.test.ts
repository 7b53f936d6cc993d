import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActionFailure } from '../runner/failure.ts';
import { findLocalCheckout, fromRoot } from './local-checkout.ts';
import { readCoverallsFile } from './settings.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'local-checkout-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

describe('the checkout around a folder', () => {
  test('is found from below, with its branch and what was fetched', () => {
    git('init', '-q', '-b', 'feature/x');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    const sha = git('rev-parse', 'HEAD');
    git('update-ref', 'refs/remotes/origin/main', sha);
    mkdirSync(join(folder, 'packages/a'), { recursive: true });
    const found = findLocalCheckout(join(folder, 'packages/a'));
    expect(found).toMatchObject({ root: folder, bounds: folder, headSha: sha, branch: 'feature/x' });
    expect(found.remoteSha('main')).toBe(sha);
    expect(found.remoteSha('../../HEAD')).toBeUndefined();
  });

  test('of a worktree its repo elsewhere is read too', () => {
    mkdirSync(join(folder, 'repo'));
    git('init', '-q', '-b', 'main', 'repo');
    git('-C', 'repo', 'commit', '-q', '--allow-empty', '-m', 'one');
    git('-C', 'repo', 'worktree', 'add', '-q', '-b', 'topic', '../tree');
    expect(findLocalCheckout(join(folder, 'tree'))).toMatchObject({
      root: join(folder, 'tree'),
      bounds: folder,
      branch: 'topic',
      headSha: git('-C', 'repo', 'rev-parse', 'HEAD'),
    });
  });

  test('is the folder itself where there is none', () => {
    expect(findLocalCheckout(folder)).toMatchObject({ root: folder, headSha: undefined, branch: undefined });
  });

  test('paths that were typed below it are seen from its root', () => {
    const place = { root: '/shop', folder: '/shop/packages/a' };
    expect([fromRoot('src', place), fromRoot('..', place), fromRoot('/shop', place)]).toEqual([
      'packages/a/src',
      'packages',
      '',
    ]);
  });
});

describe('.coveralls.yml', () => {
  const read = (text: string) => {
    writeFileSync(join(folder, '.coveralls.yml'), text);
    return readCoverallsFile(undefined, folder);
  };

  test('says what the clients of Coveralls read from it', () => {
    expect(
      read(
        'service_name: acme-ci # ours\nrepo_secret_token: "abc"\nrepo_name: acme/shop\nendpoint: https://c.example\n' +
          'carryforward: e2e,unit\nparallel: true\nflag_name: web\nservice_number: 71\nother: {a: 1}\n',
      ),
    ).toEqual({
      repoToken: 'abc',
      serviceName: 'acme-ci',
      serviceNumber: '71',
      repoName: 'acme/shop',
      endpoint: 'https://c.example',
      flagName: 'web',
      carryforward: 'e2e,unit',
      parallel: 'true',
    });
    expect(read('carryforward: [unit, "linux, node 24", 7]\n').carryforward).toBe('unit\nlinux, node 24\n7');
    expect(read('repo_token: x\nrepo_secret_token: y\n').repoToken).toBe('x');
  });

  test.each(['', '# nothing\n', '- a list\n', 'text'])('says nothing where it holds %j', (text) => {
    expect(Object.values(read(text)).join('')).toBe('');
  });

  test('is refused where it cannot be read', () => {
    expect(() => read('a: [1\nb: }')).toThrow(ActionFailure);
    expect(() => readCoverallsFile('none.yml', folder)).toThrow(/There is no file .*none.yml/);
  });
});
