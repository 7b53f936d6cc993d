import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { PLATFORM, run, unpack } from '../support/packages/archive.ts';
import { versionOf } from '../support/packages/versions.ts';

/** `npm run release -- --dry-run`, from the tag to what somebody downloads. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const version = versionOf(root);
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: root, env: inheritedEnvironment(), encoding: 'utf8' }).trim();
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

let to: string;
let said: string;
let tagsBefore: string;
beforeAll(async () => {
  to = mkdtempSync(join(tmpdir(), 'released-'));
  tagsBefore = git('for-each-ref', 'refs/tags');
  const args = ['--dry-run', '--platform', PLATFORM, '--to', to];
  const program = process.execPath;
  const ended = await run({ program, args: ['scripts/release.ts', ...args], cwd: root, env: inheritedEnvironment() });
  said = ended.stdout;
  expect(ended.code, ended.stderr).toBe(0);
}, 240_000);
afterAll(() => rmSync(to, { recursive: true, force: true }));

test('archives, the command, the action, checksums, provenance and notes', () => {
  const archive = `coverage-service-${version}-${PLATFORM}`;
  expect(readdirSync(to).sort()).toEqual(
    [
      'SHA256SUMS',
      'action.yml',
      'cli.mjs',
      `${archive}.sbom.cdx.json`,
      `${archive}.tar.gz`,
      `${archive}.tar.gz.sha256`,
      'main.js',
      'notes.md',
      'provenance.sigstore.json',
    ].sort(),
  );
  const sums = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: to, encoding: 'utf8' });
  expect(sums.split('\n').filter((line) => line.endsWith(': OK'))).toHaveLength(6);
  expect(readFileSync(join(to, 'main.js'))).toEqual(readFileSync(join(root, 'action/dist/main.js')));
});

test('the provenance names each file by its digest, and the commit and workflow that it is from', () => {
  const { subject, predicate } = JSON.parse(readFileSync(join(to, 'provenance.sigstore.json'), 'utf8'));
  const names = readdirSync(to).filter((name) => !/^(?:notes\.md|provenance\.)/.test(name));
  expect(subject).toEqual(names.sort().map((name) => ({ name, digest: { sha256: digestOf(join(to, name)) } })));
  expect(predicate.buildDefinition).toMatchObject({
    externalParameters: { workflow: { ref: `refs/tags/v${version}`, path: '.github/workflows/release.yml' } },
    resolvedDependencies: [{ digest: { gitCommit: git('rev-parse', 'HEAD') } }],
  });
});

test('the notes are the section of the changelog, and gh is asked for one release with all files', () => {
  const notes = readFileSync(join(to, 'notes.md'), 'utf8');
  const changelog = execFileSync('git', ['show', 'HEAD:CHANGELOG.md'], { cwd: root, encoding: 'utf8' });
  expect(notes.trim()).toBe(changelog.split(/^## .*\n/m)[1]?.trim());
  const asked = said.split('\n').filter((line) => line.startsWith('  gh '));
  expect(asked).toEqual([expect.stringContaining(`gh release create v${version} --verify-tag --title v${version}`)]);
  for (const name of readdirSync(to).filter((one) => one !== 'notes.md')) expect(asked[0]).toContain(`release/${name}`);
});

test('the tag of the version and that of the major are of this commit, and here nothing has changed', () => {
  const commit = git('rev-parse', 'HEAD');
  expect(said).toContain(`  tag v${version.split('.')[0]} ${commit}\n  tag v${version} ${commit}\n`);
  expect(git('for-each-ref', 'refs/tags')).toBe(tagsBefore);
});

test('what is downloaded says the version that was tagged', async () => {
  const archive = `coverage-service-${version}-${PLATFORM}`;
  await unpack(join(to, `${archive}.tar.gz`), to);
  const program = join(to, archive, 'coverage-service');
  const asked = await run({ program, args: ['--version'], cwd: to });
  expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining(` ${version}`)]);
  const command = await run({ program: process.execPath, args: ['cli.mjs', '--version'], cwd: to });
  expect(command.stdout).toBe(`coverage ${version}\n`);
});
