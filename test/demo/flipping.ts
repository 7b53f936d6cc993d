import type { BuildJson } from '@coverage/shared';
import { coverageApi, job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { waitFor } from '../support/wait-for.ts';
import { MOVED } from './history.ts';
import type { Scene } from './scene.ts';
import { describeBuild, type Story } from './story.ts';

/** From here on the server forgives what is asked of it. */
const RECORDED = 50;
/** How many builds in a row that miss the race are not chance. */
const LOST = 3;

/** A commit of the repo; each upload says what it changed, since the repo is at no git host. */
interface Push {
  readonly at: string;
  readonly before: string;
  readonly misses: boolean;
  readonly pullRequest?: string;
}

/** The repo that moved here has a race: its pull request is failed by it, then forgiven, then main truly loses it. */
export async function raceThatFlips({ scene, story }: { scene: Scene; story: Story }): Promise<void> {
  story.heading('6. Two of its lines flip without a change: one build in ten misses them');
  const { url, adminToken } = scene.instances.first;
  const api = coverageApi(url, adminToken);
  const { json: repo } = await api.readRepo(MOVED.name, 'manual');
  const { token = '' } = repo;
  const send = (push: Push) => upload(api, token, push);
  const commit = (at: number): string => shaOf(`race ${at}`);
  let built = 0;
  const grow = async (to: number, misses: (at: number) => boolean): Promise<void> => {
    for (; built < to; built += 1) {
      const before = built === 0 ? MOVED.newest : commit(built - 1);
      await send({ at: commit(built), before, misses: misses(built) });
    }
  };
  const pull = (number: string): Promise<BuildJson> =>
    send({ at: shaOf(`pull ${number}`), before: commit(built - 1), misses: true, pullRequest: number });
  const expectState = (build: BuildJson, state: string): void => {
    if (build.verdict?.state !== state) throw new Error(`A flipping block: ${build.verdict?.explanation}`);
  };

  await grow(RECORDED - 10, (at) => at % 10 === 5);
  const said = await pull('11');
  describeBuild(story, said);
  expectState(said, 'failure');
  story.say(`  a pull request misses them: ✗ ${said.cause?.sentence.replace(/;.*/, '')}`);

  await api.changeSettings(MOVED.name, { ignore_unstable_lines: true }, 'manual');
  await grow(RECORDED + 5, (at) => at % 10 === 5);
  await grow(RECORDED + 7, () => false);
  const forgiven = await pull('12');
  describeBuild(story, forgiven);
  expectState(forgiven, 'success');
  story.say(`  with ignore_unstable_lines and ${RECORDED} builds of main: ✓ they alone do not fail a build`);

  await grow(RECORDED + 7 + LOST, () => true);
  const { json: began } = await api.buildJson(commit(RECORDED + 7));
  const since = began.flips?.missed.find((block) => block.lost_since?.build === began.id);
  if (since === undefined) throw new Error('The loss is not said at the build where it began');
  story.say(`  main misses them ${LOST} builds in a row: lost since ${began.commit_sha?.slice(0, 7)}, and said there`);
}

async function upload(
  api: ReturnType<typeof coverageApi>,
  token: string,
  { at, before, misses, pullRequest }: Push,
): Promise<BuildJson> {
  const message = pullRequest === undefined ? 'Brew on' : 'Explain brewing';
  const reply = await api.uploadJob(
    job({
      repo_token: token,
      service_number: at.slice(0, 8),
      commit_sha: at,
      ...(pullRequest !== undefined && { service_pull_request: pullRequest, service_base_branch: 'main' }),
      git: { branch: pullRequest === undefined ? 'main' : 'topic', head: { id: at, message } },
      diff: {
        ...{ base_sha: before, head_sha: at, complete: true },
        files: [{ name: 'README.md', kind: 'modified', hunks: [[1, 1, 1, 1]] }],
      },
      source_files: [
        sourceFile('src/brew.js', [1, 1, 1, 1, 0]),
        sourceFile('src/race.js', misses ? [1, 0, 0] : [1, 1, 1]),
      ],
    }),
  );
  if (reply.status !== 200) throw new Error(`An upload was refused: ${reply.text}`);
  return waitFor(
    async () => {
      const { status, json } = await api.buildJson(at);
      return status === 200 && json.state === 'closed' ? json : undefined;
    },
    { what: 'the verdict', intervalMs: 5 },
  );
}
