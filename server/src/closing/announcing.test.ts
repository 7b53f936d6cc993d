import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aBuild, providerFacts } from '../../../test/support/records.ts';
import { STATUS_NAME_SETS, serverStatusNames } from '../core/announce/contexts.ts';
import type { Build } from '../core/builds/build.ts';
import { listHosts } from '../core/repo/git-host.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../core/repo/settings.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import type { Store } from '../storage/store.ts';
import { announcingFor } from './announcing.ts';

const OLD = serverStatusNames('coverage');
const RENAMED = 2_000;

const renamed = { statusNames: STATUS_NAME_SETS.codecov, formerStatusNames: [{ names: undefined, at: RENAMED }] };

const someFacts = (openedAt: number) =>
  providerFacts({
    pull: {
      headCommit: 'a'.repeat(40),
      baseBranch: 'main',
      state: 'open',
      openedAt,
      merged: false,
      landedCommit: undefined,
      fromFork: false,
    },
  });

/** What is announced of a build whose pull request has these builds, newest first. */
function announcing(settings: Partial<RepoSettings>, build: Build, ofPullRequest: readonly Build[] = []) {
  const builds = { ofPullRequest: async () => ofPullRequest } as unknown as Store['builds'];
  const addresses = createAddresses(() => 'https://coverage.example');
  return announcingFor(
    { builds, hosts: listHosts([]), addresses, config: { statusContext: 'coverage' } },
    { repo: aRepo({ settings: { ...DEFAULT_REPO_SETTINGS, ...settings } }), build },
  );
}

describe('the names of a build’s contexts', () => {
  const late = aBuild({ pullRequest: 7, createdAt: 3_000 });
  const early = aBuild({ pullRequest: 7, createdAt: 1_000 });
  const both = aBuild({ pullRequest: 7, createdAt: 2_500, openedContexts: [{ context: 'coverage', flag: undefined }] });

  test('are the repo’s, else by the server’s word', async () => {
    expect(await announcing({}, late)).toMatchObject({ names: OLD, formerNames: [] });
    expect(await announcing({ statusNames: STATUS_NAME_SETS.codecov }, late)).toMatchObject({
      names: STATUS_NAME_SETS.codecov,
    });
  });

  test.each<[string, Build, readonly Build[], boolean]>([
    ['made before the rename', early, [early], true],
    ['whose pull request has one from before', late, [late, early], true],
    ['whose pull request goes on with both', late, [late, both], true],
    ['of a pull request that is newer', late, [late], false],
    ['of a push', aBuild({ createdAt: 1_000 }), [early], false],
    ['of a merge queue, as its pull request', { ...late, mergeQueue: true }, [early], true],
  ])('a build %s gets the former ones too: %#', async (_, build, ofPullRequest, expected) => {
    expect((await announcing(renamed, build, ofPullRequest)).formerNames).toEqual(expected ? [OLD] : []);
  });

  test('a merge queue’s build continues with the contexts of the newest build of its pull request', async () => {
    const queued = { ...late, mergeQueue: true };
    expect((await announcing({}, queued, [queued, both, early])).inherited).toEqual(both.openedContexts);
    expect((await announcing({}, late, [both])).inherited).toEqual([]);
  });

  test('the former ones may be a set too', async () => {
    const back = { statusNames: undefined, formerStatusNames: [{ names: STATUS_NAME_SETS.codecov, at: RENAMED }] };
    expect(await announcing(back, early)).toMatchObject({ names: OLD, formerNames: [STATUS_NAME_SETS.codecov] });
  });

  test.each([
    ['before both renames', 1_500, [STATUS_NAME_SETS.codecov, OLD]],
    ['between two renames', 2_500, [STATUS_NAME_SETS.codecov]],
    ['after both', 3_500, []],
  ])(
    'a pull request that the provider says was opened %s has these, though no build of it was there then',
    async (_, openedAt, expected) => {
      const build = aBuild({ pullRequest: 7, createdAt: 4_000, facts: someFacts(openedAt) });
      const twice = {
        statusNames: STATUS_NAME_SETS.coveralls,
        formerStatusNames: [
          { names: STATUS_NAME_SETS.codecov, at: 3_000 },
          { names: undefined, at: RENAMED },
        ],
      };
      expect((await announcing(twice, build, [build])).formerNames).toEqual(expected);
    },
  );
});
