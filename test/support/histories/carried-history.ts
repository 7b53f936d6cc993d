import type { BuildJson } from '@coverage/shared';
import fc from 'fast-check';
import { aFile } from '../records.ts';
import {
  createLineIds,
  FILES,
  firstLengths,
  firstTree,
  follow,
  steps,
  type Tree,
  textsOf,
} from '../rendered-output/generated-texts.ts';
import { openPullScene, type PullScene } from '../rendered-output/pull-scene.ts';
import type { Told } from '../rendered-output/told.ts';
import { claimsIn } from '../rendered-output/told-claims.ts';
import type { CommitGraph } from './commit-graph.ts';
import { atHead, atMerge, onBranch, type Place, type Pull } from './places.ts';
import type { Stage } from './stage.ts';

/**
 * Histories in which flag v is uploaded here and carried there. Each line of a text has an identity, and what the tests
 * of a flag find of it follows from that alone: so it is known without any diff what may stand on a line.
 */

/** Which flags run, and the other is carried; `none`: there is no build. */
const runs = fc.constantFrom('both' as const, 'both' as const, 'u' as const, 'none' as const);

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('main' as const), edits: steps, runs }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('topic' as const), edits: steps }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebase' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pull' as const),
      at: fc.constantFrom('head' as const, 'merge' as const),
      runs: fc.constantFrom('both' as const, 'u' as const, 'u' as const),
      /** Tested before what was committed since the last one: main continued in the meantime. */
      stale: fc.boolean(),
    }),
  },
);

export const anyCarriedHistory = fc.record({
  lengths: firstLengths,
  actions: fc.array(action, { minLength: 2, maxLength: 8 }),
  at: fc.constantFrom('head' as const, 'merge' as const),
});

export type CarriedHistory = typeof anyCarriedHistory extends fc.Arbitrary<infer T> ? T : never;

const RUNS = { u: ['a.ts'], v: ['b.ts', 'c.ts'] } as const;

/** What is found of a line, anybody who runs it. */
function hitsOf(id: number): number | null {
  return id % 5 === 0 ? null : id % 3;
}

/** A build that flag v was carried to. */
export interface CarriedBuild {
  readonly json: BuildJson;
  /** For the files that only v runs, the lines by their identities: in the tested text, and where v was uploaded. */
  readonly tested: Tree;
  readonly origin: Tree;
  /** Where both parted; undefined if there are several such commits. */
  readonly parting: Tree | undefined;
  /** Whether the origin is a build of the base branch, not the base, and its commit no ancestor of what was tested. */
  readonly isNewer: boolean;
  readonly isAncestor: boolean;
  /** What the build's own pages say of each of these lines. */
  readonly laid: ReadonlyMap<string, readonly (number | null)[]>;
}

export interface PlayedHistory {
  readonly carried: readonly CarriedBuild[];
  /** For the last build of the pull request. */
  readonly told: Told;
}

interface Tested {
  readonly commit: string;
  readonly isMain: boolean;
}

/** Plays a history through HTTP; at last a build of the pull request has v carried. */
export async function playCarried(stage: Stage, { lengths, actions, at }: CarriedHistory): Promise<PlayedHistory> {
  const git = stage.newGit();
  const newLine = createLineIds();
  git.commit('root', textsOf(firstTree(lengths, newLine)));
  git.switchTo('topic');
  git.switchTo('main');
  const scene = await openPullScene(stage, git, {});
  const play = createPlayer(stage, git, scene);
  await play.built(onBranch(git.sha('main')), { commit: git.sha('main'), isMain: true }, ['u', 'v']);
  for (const one of actions) {
    git.switchTo(one.kind === 'main' ? 'main' : 'topic');
    if (one.kind === 'rebase') git.rebase('main');
    else if (one.kind === 'merge') git.merge('main');
    else if (one.kind === 'pull') await play.pull(one);
    else {
      const commit = git.commit(one.kind, textsOf(follow(treeOf(git, one.kind), one.edits, newLine)));
      scene.push();
      if (one.kind === 'main' && one.runs !== 'none')
        await play.built(onBranch(commit), { commit, isMain: true }, one.runs === 'both' ? ['u', 'v'] : ['u']);
    }
  }
  const last = await play.pull({ at, runs: 'u', stale: false });
  return { carried: play.carried, told: await scene.told(last) };
}

function createPlayer(stage: Stage, git: CommitGraph, scene: PullScene) {
  const carried: CarriedBuild[] = [];
  const tested = new Map<string, Tested>();
  let number = 0;
  let known: Pull = scene.pull;
  const built = async (place: Place, where: Tested, flags: readonly ('u' | 'v')[]): Promise<BuildJson> => {
    number += 1;
    const tree = treeOf(git, where.commit);
    for (const flag of flags) {
      const files = RUNS[flag].flatMap((name) => {
        const hits = tree.get(name)?.map((id) => hitsOf(id) ?? -1);
        return hits === undefined ? [] : [aFile(name, hits, { digest: tree.get(name)?.join(' ') })];
      });
      await scene.upload({ number: String(number), at: place, flag, files });
    }
    const json = await scene.close(String(number), flags.includes('v') ? undefined : 'v');
    tested.set(json.id, where);
    const origin = json.flags.find(({ name }) => name === 'v')?.carried_from?.build ?? '';
    const from = tested.get(origin);
    const isBase = origin === json.base?.build;
    if (from !== undefined) carried.push(await describe({ stage, git, json }, where, { ...from, isBase }));
    return json;
  };
  return {
    carried,
    built,
    async pull(one: { readonly at: 'head' | 'merge'; readonly runs: 'both' | 'u'; readonly stale: boolean }) {
      if (!one.stale) known = scene.update();
      const place = one.at === 'head' ? atHead(known) : atMerge(known);
      const commit = one.at === 'head' ? known.head : known.merge;
      return built(place, { commit, isMain: false }, one.runs === 'both' ? ['u', 'v'] : ['u']);
    },
  };
}

async function describe(
  { stage, git, json }: { readonly stage: Stage; readonly git: CommitGraph; readonly json: BuildJson },
  { commit }: Tested,
  from: Tested & { readonly isBase: boolean },
): Promise<CarriedBuild> {
  const headers = { authorization: `token ${stage.service.adminToken}` };
  const laid = new Map<string, readonly (number | null)[]>();
  for (const name of RUNS.v) {
    const path = `/builds/${json.id}/source.json?filename=${name}`;
    const { status, json: lines } = await stage.service.api.send<readonly (number | null)[]>(path, { headers });
    if (status === 200) laid.set(name, lines);
  }
  const [parting, ...others] = git.mergeBases(from.commit, commit);
  return {
    json,
    tested: treeOf(git, commit),
    origin: treeOf(git, from.commit),
    parting: parting === undefined || others.length > 0 ? undefined : treeOf(git, parting),
    isNewer: from.isMain && !from.isBase && parting !== from.commit,
    isAncestor: parting === from.commit,
    laid,
  };
}

function treeOf(git: CommitGraph, commit: string): Tree {
  const read = (name: string) => git.textOf(commit, name)?.match(/\d+/g)?.map(Number) ?? [];
  return new Map(FILES.map((name) => [name, read(name)] as const).filter(([, ids]) => ids.length > 0));
}

/** What is wrong with carried reports, and what comment, page, JSON and statuses say otherwise than their numbers. */
export function contradictionsOf({ carried, told }: PlayedHistory): readonly unknown[] {
  const { flags } = told.json;
  const shown = flags.find(({ name }) => name === 'v')?.covered_percent ?? null;
  const percent = shown === null ? 'no relevant lines' : `${(Math.floor(shown * 100 + 1e-6) / 100).toFixed(2)}%`;
  const claims = claimsIn(told).filter(({ said, known }) => said !== known);
  const from = flags.find(({ name }) => name === 'v')?.carried_from;
  const status = told.statuses['coverage (v)'];
  const isSaid = status?.startsWith(`success: ${percent}, carried from ${from?.commit_sha?.slice(0, 7)}`) ?? true;
  return [...carried.flatMap(faultsOf), ...claims, ...(from && !isSaid ? [status] : [])];
}

/** In words; none where every line is one of the text that it was made from. */
function faultsOf({ json, tested, origin, parting, isNewer, laid }: CarriedBuild): readonly string[] {
  const faults = isNewer ? ['it is of newer code than was tested'] : [];
  for (const [name, lines] of laid) {
    const text = tested.get(name) ?? [];
    for (const [index, hits] of lines.entries()) {
      const id = text[index];
      if (hits === null) continue;
      if (id === undefined) faults.push(`${name}:${index + 1} is beyond the end`);
      else if (hits !== hitsOf(id)) faults.push(`${name}:${index + 1} has ${hits} of another line`);
      else if (!origin.get(name)?.includes(id)) faults.push(`${name}:${index + 1} was not there`);
    }
  }
  const lost = RUNS.v.flatMap((name) => missedLines(name, { tested, origin, parting }, laid.get(name) ?? []));
  const counted = [...laid.values()].flat().filter((hits) => hits !== null);
  const percent = json.flags.find((flag) => flag.name === 'v')?.covered_percent ?? null;
  const known = counted.length === 0 ? null : (100 * counted.filter((hits) => hits > 0).length) / counted.length;
  if (percent !== known) faults.push(`the flag has ${percent}, its lines ${known}`);
  return [...faults, ...lost];
}

/** Lines that are in all three texts, in one order, and are not laid though a report has them. */
function missedLines(
  name: string,
  { tested, origin, parting }: Pick<CarriedBuild, 'tested' | 'origin' | 'parting'>,
  laid: readonly (number | null)[],
): readonly string[] {
  const texts = [tested, origin, parting].map((tree) => tree?.get(name) ?? []);
  if (parting === undefined || texts.some((text) => new Set(text).size < text.length)) return [];
  const [first = [], ...others] = texts.map((text) => text.filter((id) => texts.every((one) => one.includes(id))));
  if (others.some((other) => other.join() !== first.join())) return [];
  return first.flatMap((id) => {
    const index = tested.get(name)?.indexOf(id) ?? 0;
    return (laid[index] ?? null) === hitsOf(id) ? [] : [`${name}:${index + 1} is lost`];
  });
}
