import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { namedVersions, versionOf } from './support/packages/versions.ts';
import { ownWorkflows, releaseJobs } from './support/repo-checks/own-workflows.ts';

test('each action of others is named by its commit, one for all, with its version beside it', () => {
  const used = Object.entries(ownWorkflows()).flatMap(([path, text]) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, one = '']) => ({ path, one })),
  );
  const others = used.filter(({ one }) => !one.startsWith('./'));
  expect(others.length).toBeGreaterThan(20);
  const pinned = /^([\w-]+\/[\w-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(others.filter(({ one }) => !pinned.test(one))).toEqual([]);
  const commits = Map.groupBy(new Set(others.map(({ one }) => one)), (one) => pinned.exec(one)?.[1]);
  expect([...commits.values()].filter((texts) => texts.length > 1)).toEqual([]);
});

test('what signs or publishes a release runs nothing that was installed', () => {
  const jobs = Object.entries(releaseJobs());
  const mayWrite = (permissions: Readonly<Record<string, string>>) => Object.values(permissions).includes('write');
  const writing = jobs.filter(([, { permissions }]) => permissions !== undefined && mayWrite(permissions));
  expect(writing.map(([name]) => name)).toEqual(['publish', 'image']);
  for (const [, { permissions, steps }] of writing) {
    expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    expect(steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))).toBe(true);
    expect(steps.filter(({ run }) => /\b(?:npm|npx|node)\b/.test(run ?? ''))).toEqual([]);
  }
});

test('package.json says the version, and every other place names the same', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const version = versionOf(root);
  const named = namedVersions(root);
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter(([, one]) => one !== version)).toEqual([]);
});
