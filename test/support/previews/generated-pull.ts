import type { BuildJson, PreviewJson } from '@coverage/shared';
import fc from 'fast-check';
import type { CommitGraph } from '../histories/commit-graph.ts';
import { atHead, atMerge, onBranch } from '../histories/places.ts';
import type { Stage } from '../histories/stage.ts';
import {
  createLineIds,
  FILES,
  firstLengths,
  firstTree,
  follow,
  hitNumbers,
  reportOf,
  steps,
  type Tree,
  textsOf,
} from '../rendered-output/generated-texts.ts';
import { openPullScene } from '../rendered-output/pull-scene.ts';
import { askAsCommand, askPreview, cloneOf, previewBody } from './ask-preview.ts';

/** Pull requests that are previewed first, and then uploaded and closed with the same content. */

type Fate = 'uploaded' | 'carried' | 'missing';
const limit = fc.option(fc.constantFrom(0, 33.33, 66.67, 100), { nil: null });
const fate = fc.constantFrom<Fate>('uploaded', 'uploaded', 'carried', 'missing');

const coverageYml = fc.constantFrom(
  'total: { minimum: 50 }\n',
  'total: { minimum: 90, until: 2999-01-01 }\nchanges: { minimum: 100, informational: true }\n',
  'informational: true\ngroups: [{ name: A, paths: [a.ts], total: { minimum: 90 } }]\n',
  'total: off\ngroups: [{ name: A, paths: ["*.ts", "!b.ts"], total: {}, changes: { minimum: 60 }, status: true }]\n',
  'groups: [{ name: B, paths: [b.ts], total: { minimum: 90 } }, { each: "lib/*", name: "Lib {1}", total: {} }, ' +
    '{ name: C, paths: [c.ts], flags: [api], changes: { minimum: 90 }, informational: true }]\n',
  'total: { drop: 50 }\nelsewhere: fail\nflags: { unit: { paths: [a.ts], changes: { minimum: 90 } } }\n',
  'ignore: [b.ts]\n',
  'total: { target: 80 }\n',
  undefined,
);

export const anyPull = fc.record({
  lengths: firstLengths,
  /** Commits on main without a build, before the branch and after it. */
  before: fc.array(steps, { maxLength: 2 }),
  after: fc.array(steps, { maxLength: 1 }),
  own: steps,
  hasBase: fc.constantFrom(true, true, true, false),
  at: fc.constantFrom('head' as const, 'merge' as const),
  flags: fc.constantFrom<readonly (string | undefined)[]>(['unit', 'api'], ['unit', 'api'], [undefined]),
  fates: fc.tuple(fate, fate),
  hits: fc.tuple(hitNumbers, hitNumbers),
  newHits: fc.tuple(hitNumbers, hitNumbers),
  thresholds: fc.record({
    commit_status_fail_threshold: limit,
    commit_status_fail_change_threshold: fc.option(fc.constantFrom(0, 5, 50), { nil: null }),
  }),
  /** The repo's own file on main, and what the pull request makes of it; undefined: there is none. */
  file: fc.option(fc.tuple(coverageYml, coverageYml), { nil: undefined }),
  settings: fc.record({
    patch_status: fc.boolean(),
    patch_minimum: fc.oneof(limit, fc.constant('base' as const)),
    informational: fc.constantFrom(false, false, true),
    ignore_removed_code: fc.boolean(),
    ignore_untouched_files: fc.boolean(),
    ignore_unstable_lines: fc.boolean(),
  }),
});

export type AnyPull = typeof anyPull extends fc.Arbitrary<infer T> ? T : never;

const RUNS: Readonly<Record<string, readonly string[]>> = { unit: ['a.ts', 'b.ts'], api: ['b.ts', 'c.ts'], '': FILES };

function commit(git: CommitGraph, message: string, tree: Tree, file: string | undefined): string {
  return git.commit(message, { [`${message}.txt`]: `${message}\n`, [FILE]: file, ...textsOf(tree) });
}

/** The preview, what the build's JSON says afterward, and its statuses at the git host. */
export interface PreviewedPull {
  readonly preview: PreviewJson;
  readonly build: BuildJson;
  readonly statuses: Readonly<Record<string, string>>;
}

export async function previewThenUpload(stage: Stage, drawn: AnyPull): Promise<PreviewedPull> {
  const { flags, fates, settings, hasBase, file = [] } = drawn;
  const git = stage.newGit();
  const { root, first, head, fork } = drawHistory(git, drawn);
  const scene = await openPullScene(stage, git, settings);
  const { pull, repo } = scene;
  await stage.service.change(repo, drawn.thresholds);
  for (const [sha, content] of [
    [root, file[0]],
    [fork, file[0]],
    [pull.head, file[1]],
  ] as const)
    if (content !== undefined) stage.github.putFile(repo.name, { sha, path: FILE, content });
  const legs = (of: Tree, hits: readonly (readonly number[])[]) =>
    flags.map((flag, index) => {
      const ran = { files: RUNS[flag ?? ''] ?? [], hits: hits[index] ?? [], digests: 'of texts' } as const;
      return { flag, fate: flag === undefined ? 'uploaded' : fates[index], files: reportOf(of, ran).files };
    });
  if (hasBase) {
    for (const leg of legs(first, drawn.hits)) await scene.upload({ number: '1', at: onBranch(root), ...leg });
    await scene.close('1');
  }
  const ran = legs(head, drawn.newHits);
  const uploaded = ran.filter((leg) => leg.fate === 'uploaded');
  const sent = uploaded.length === 0 ? ran.slice(0, 1) : uploaded;
  const carried = ran.filter((leg) => leg.fate === 'carried' && !sent.includes(leg)).map(({ flag }) => flag);
  const carryforward = carried.length === 0 ? undefined : carried.join(',');
  const jobs = sent.map((leg) => scene.payload({ number: '2', at: {}, ...leg }));
  const answered = await askAsCommand(
    (question) => askPreview(stage.service.api, { body: previewBody(question, jobs), token: repo.token }),
    cloneOf(git),
    {
      head_sha: pull.head,
      branch: pull.branch,
      base_branch: pull.baseBranch,
      merge_base_sha: fork,
      pull_request: pull.number,
      tested_at_merge: drawn.at === 'merge',
      coverage_yml: { base: sentFile(file[0]), head: sentFile(file[1]) },
      ...(carryforward === undefined ? {} : { carryforward }),
    },
  );
  const { status, json: preview } = answered;
  if (status !== 200) throw new Error(`The preview was refused with ${status}: ${preview.message}`);
  const at = drawn.at === 'merge' ? atMerge : atHead;
  for (const leg of sent) await scene.upload({ number: '2', at: at(pull), ...leg });
  const build = await scene.close('2', carryforward);
  return { preview, build, statuses: (await scene.told(build)).statuses };
}

const FILE = '.github/coverage.yml';

function sentFile(text: string | undefined) {
  return text === undefined ? null : { path: FILE, text };
}

/** Where the branch `topic` leaves main, main continued only if the head alone is tested. */
function drawHistory(
  git: CommitGraph,
  { lengths, before, after, own, at, file: [onMain, onTopic] = [undefined, undefined] }: AnyPull,
) {
  const newLine = createLineIds();
  const first = firstTree(lengths, newLine);
  const root = commit(git, 'root', first, onMain);
  let tree = first;
  let fork = root;
  for (const [index, step] of before.entries()) {
    tree = follow(tree, step, newLine);
    fork = commit(git, `before ${index}`, tree, onMain);
  }
  git.switchTo('topic');
  const head = follow(tree, own, newLine);
  commit(git, 'topic', head, onTopic);
  git.switchTo('main');
  for (const [index, step] of (at === 'head' ? after : []).entries()) {
    tree = follow(tree, step, newLine);
    commit(git, `after ${index}`, tree, onMain);
  }
  return { root, first, head, fork };
}
