import { markOf } from '../../server/src/builds/page-mark.ts';
import type { ShownBuildPage } from '../../server/src/builds/show-build-page.ts';
import type { Build } from '../../server/src/core/builds/build.ts';
import { aRepo } from './build-history.ts';
import { wholeList } from './records.ts';

export const A_REPO = aRepo({ name: 'octo/shop', owner: 'mona' });

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
