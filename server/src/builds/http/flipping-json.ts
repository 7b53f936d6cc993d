import { ratioToNumber } from '../../core/coverage/percent.ts';
import { toSeconds } from '../../core/time.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { FlipsOfBuild, ListedBlock } from '../find-flips.ts';
import type { ListedFlipping } from '../list-flipping.ts';

/** `GET /<service>/<owner>/<repo>/flipping.json` */
export function presentFlipping(listed: ListedFlipping, addresses: Addresses): Answer<'flipping'> {
  return {
    branch: listed.branch ?? null,
    builds: listed.builds,
    complete: listed.isComplete,
    usually_missed: [listed.usual.least, listed.usual.most],
    total: listed.total,
    usually_worth: listed.worth === undefined ? null : ratioToNumber(listed.worth),
    blocks: listed.blocks.map((block) => ({
      ...blockJson(block, addresses),
      forgiven_in: block.forgiven.map(({ id, commit, pullRequest }) => ({
        ...{ build: String(id), url: addresses.build(id) },
        ...{ commit_sha: commit ?? null, pull_request: pullRequest ?? null },
      })),
    })),
  };
}

/** For a build: what flips, or used to, among the lines that it lost outside its change. */
export function flipsJson(flips: FlipsOfBuild | undefined, addresses: Addresses): Answer<'build'>['flips'] {
  return flips ? { branch: flips.branch, missed: flips.missed.map((block) => blockJson(block, addresses)) } : null;
}

type BlockJson = NonNullable<Answer<'build'>['flips']>['missed'][number];

function blockJson(block: ListedBlock, addresses: Addresses): BlockJson {
  const build = (one: ListedBlock['flippedIn']) =>
    one === undefined
      ? null
      : { build: String(one.id), url: addresses.build(one.id), commit_sha: one.commit, closed_at: toSeconds(one.at) };
  return {
    file: block.file,
    first: block.first,
    last: block.last,
    lines: block.lines,
    branches: block.branches,
    covered: block.covered,
    known: block.known,
    states: block.states.map((state) => (state === undefined ? '?' : state ? '1' : '0')).join(''),
    flipped_in: build(block.flippedIn),
    lost_since: build(block.lostSince),
  };
}
