import { markOf } from '../../server/src/builds/page-mark.ts';
import type { ShownBuildPage } from '../../server/src/builds/show-build-page.ts';
import type { Build } from '../../server/src/core/builds/build.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { DEFAULT_REPO_SETTINGS } from '../../server/src/core/repo/settings.ts';
import { wholeList } from './records.ts';

export const A_REPO: Repo = {
  id: 1,
  service: 'github',
  name: 'octo/shop',
  owner: 'mona',
  settings: DEFAULT_REPO_SETTINGS,
  providerId: undefined,
  suspended: undefined,
  createdAt: 0,
  updatedAt: 0,
};

/** A build as its page is given it, with what the test states put over it. */
export function aShownBuild(build: Build, stated: Partial<ShownBuildPage> = {}): ShownBuildPage {
  return {
    build,
    repo: A_REPO,
    caller: { kind: 'anonymous' },
    flags: wholeList(build.result?.flags ?? []),
    jobs: wholeList([]),
    parked: [],
    deliveries: [],
    supersededBy: undefined,
    rivals: [],
    repoWarnings: [],
    toCover: { selected: 'all', lines: undefined, changed: undefined, choices: [] },
    gained: undefined,
    flips: undefined,
    awaited: [],
    showEmails: false,
    maintains: false,
    hostName: 'GitHub',
    hostFile: undefined,
    mark: markOf(build),
    ...stated,
  };
}
