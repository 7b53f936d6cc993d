import type { BuildJson } from '@coverage/shared';
import type { FileCoverage } from '../../../server/src/core/coverage/file-coverage.ts';
import { job, type RepoJson } from '../coverage-api.ts';
import type { CommitGraph } from '../histories/commit-graph.ts';
import type { Place, Pull } from '../histories/places.ts';
import type { Stage } from '../histories/stage.ts';
import { openPull } from '../histories/story.ts';
import type { Told } from './told.ts';

/** A repo at the git host and here, with one pull request (7) of its branch `topic`, and what is told of its builds. */
export interface PullScene {
  readonly pull: Pull;
  /** Brings the host up to date, as a push of everything does. */
  push(): void;
  /** The same, and the pull request is where its branches are now. */
  update(): Pull;
  readonly repo: RepoJson & { readonly token: string };
  /** One parallel job, as it is uploaded. */
  payload(leg: Leg): object;
  /** Uploads one parallel job; answers the build's id. */
  upload(leg: Leg): Promise<string>;
  close(number: string, carryforward?: string): Promise<BuildJson>;
  /** For the pull request's build, once everything of it was delivered. */
  told(build: BuildJson): Promise<Told>;
  /** The ranges of commits that were compared. */
  compared(): readonly (string | undefined)[];
}

interface Leg {
  readonly number: string;
  readonly at: Place;
  readonly flag?: string | undefined;
  readonly files: readonly FileCoverage[];
}

let scenes = 0;

/** `git` has the branches main and topic. */
export async function openPullScene(stage: Stage, git: CommitGraph, settings: object): Promise<PullScene> {
  const { github, service } = stage;
  scenes += 1;
  const repo = `octo/pull-scene-${scenes}`;
  github.addRepo(repo, { defaultBranch: 'main' });
  const made = await service.newRepo({ service: 'github', name: repo });
  const { token } = made;
  await service.api.changeSettings(repo, settings);
  let head = '';
  const push = (): void => git.pushTo(github, repo);
  const update = (): Pull => {
    const pull = openPull({ github, git, push }, repo, { number: 7, branch: 'topic' });
    head = pull.head;
    return pull;
  };
  const payload = ({ number, at, flag, files }: Leg): object => {
    const named = flag === undefined ? {} : { flag_name: flag };
    const source_files = files.map(toSourceFile);
    const sent = { service_number: number, parallel: true, ...at, ...named, source_files };
    return { ...job({ repo_token: token }), ...sent };
  };
  return {
    repo: made,
    payload,
    pull: update(),
    push,
    update,
    upload: async (leg) => (await service.upload(payload(leg))).build,
    close: (number, carryforward) => service.close(token, number, carryforward),
    async told(json) {
      await service.delivered();
      const last = [...github.lastStatuses(repo, head).values()];
      return {
        json,
        base: json.base === null ? undefined : await service.build(json.base.build),
        statuses: Object.fromEntries(last.map((one) => [one.context, `${one.state}: ${one.description}`])),
        comment: github.comments(repo, 7)[0]?.body ?? '',
        page: (await service.api.send(json.url, { headers: { authorization: `token ${service.adminToken}` } })).text,
      };
    },
    compared: () =>
      github
        .requests()
        .filter(({ path }) => path.startsWith(`/repos/${repo}/compare/`))
        .map(({ path }) => path.split(/\/compare\/|\?/)[1]),
  };
}

function toSourceFile({ name, digest, hits, branches }: FileCoverage) {
  const arms = [...branches.hits.keys()].flatMap((index) => [
    branches.line[index] ?? 0,
    branches.block[index] ?? 0,
    branches.branch[index] ?? 0,
    branches.hits[index] ?? 0,
  ]);
  const coverage = Array.from(hits, (value) => (value < 0 ? null : value));
  return { name, source_digest: digest, coverage, ...(arms.length === 0 ? {} : { branches: arms }) };
}
