import { expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aClosedBuild, sha } from '../../../test/support/records.ts';
import type { Build } from '../core/builds/build.ts';
import type { BuildRevision } from '../core/builds/revise-build.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { settleLanding } from './settle-landing.ts';

const DUE = { kind: 'landing', branch: 'main', commit: sha('d'), since: 0, at: 5_000 } as const;
const HOUR = 3_600_000;

/** Settles a build whose question is due. `land`: what becomes of the build while its provider is asked. */
async function settle(
  now: number,
  { repo = aRepo(), land = (build: Build): Build => build }: { repo?: Repo; land?: (build: Build) => Build } = {},
) {
  let build = aClosedBuild({ sequence: 9, pullRequest: 7, due: [DUE] });
  const revisions: BuildRevision[] = [];
  let asked = 0;
  const services = {
    repos: { find: async () => repo },
    builds: {
      find: async () => build,
      ofPullRequest: async () => {
        asked += 1;
        build = land(build);
        return [];
      },
      revise: async ({ revision }: { readonly revision: BuildRevision }) => {
        revisions.push(revision);
        return build;
      },
    },
    clock: { now: () => now },
  } as unknown as Services;
  await settleLanding(services, build);
  return { asked, revisions };
}

test('a build whose question was answered, or put off, is left alone', async () => {
  const answered = (build: Build): Build => ({ ...build, due: [] });
  const putOff = (build: Build): Build => ({ ...build, due: [{ ...DUE, at: 20_000 }] });
  for (const land of [answered, putOff]) expect(await settle(10_000, { land })).toEqual({ asked: 1, revisions: [] });
});

test('one that keeps it though another build was meant waits longer, and gives up after a day', async () => {
  const waits = { kind: 'landing-due', due: { ...DUE, at: 2 * HOUR + 30 * 60_000 } };
  expect(await settle(2 * HOUR)).toEqual({ asked: 1, revisions: [waits] });
  expect(await settle(24 * HOUR)).toEqual({ asked: 1, revisions: [{ kind: 'landing-due', due: undefined }] });
});

test('of a suspended repo nothing is asked any more', async () => {
  const repo = aRepo({ suspended: 'It was deleted at GitHub.' });
  expect(await settle(10_000, { repo })).toEqual({ asked: 0, revisions: [{ kind: 'landing-due', due: undefined }] });
});
