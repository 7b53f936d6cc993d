import { parseArgs } from 'node:util';
import { firstPush, mainBuild, pullOfFork, secondPush } from './chapters.ts';
import { openDemoDatabase } from './database.ts';
import type { Storage } from './instances.ts';
import { createScene, type Scene } from './scene.ts';
import { createStory, type Story } from './story.ts';
import { makeSignInLink } from './visitor.ts';

const USAGE =
  'npm run demo -- [--once] [--verbose] [--mongodb <URL, with a database or without>|auto [--instances <1 to 8>]]';

/**
 * The whole story on one machine: the real server, a stand-in for GitHub, and the built action, run as GitHub runs it.
 * Stays up until it is asked to stop, or ends by itself (`--once`), with 0 only if everything happened. `--mongodb`: on
 * a MongoDB database, by as many servers as `--instances` says.
 */
async function main(): Promise<void> {
  const { once: endsItself, verbose, mongodb, instances } = readArguments();
  const story = createStory(verbose);
  story.heading('Coverage, from a test run to the pull request');
  const database = mongodb === undefined ? undefined : await openDemoDatabase(mongodb);
  try {
    await play({ database, instances }, story, !endsItself);
  } finally {
    await database?.dispose();
  }
}

interface Asked {
  readonly once: boolean;
  readonly verbose: boolean;
  readonly mongodb: string | undefined;
  readonly instances: number;
}

function readArguments(): Asked {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      mongodb: { type: 'string' },
      instances: { type: 'string', default: '1' },
    },
  });
  const { once, verbose, mongodb } = values;
  const instances = Number(values.instances);
  const isCount = Number.isSafeInteger(instances) && instances >= 1 && instances <= 8;
  if (!isCount) throw new Error(`--instances is a number from 1 to 8. Usage: ${USAGE}`);
  if (instances > 1 && mongodb === undefined)
    throw new Error(`SQLite takes one process, so give --mongodb. Usage: ${USAGE}`);
  return { once, verbose, mongodb, instances };
}

async function play(storage: Storage, story: Story, staysUp: boolean): Promise<void> {
  const scene = await createScene({ tell: story.detail, storage });
  try {
    introduce(scene, story, storage);
    await tell(scene, story);
    if (staysUp) {
      await showPages(scene, story, storage);
      await waitForEnd(scene, story);
    }
  } finally {
    await scene.dispose();
  }
}

function introduce({ instances }: Scene, { say, detail }: Story, { database }: Storage): void {
  const [first, ...others] = instances.all.map(({ url }) => url);
  if (database === undefined) say(`The server listens on ${first}, with its data in one SQLite file.`);
  else if (others.length === 0) say(`The server listens on ${first}, with its data in MongoDB: ${database.where}.`);
  else {
    say(
      `${instances.all.length} equal servers listen on ${[first, ...others].join(' and ')}, all on one MongoDB: ` +
        `${database.where}.`,
    );
    detail(
      'Each step of the workflow goes to another one in turn; links have the address of the first, as they ' +
        "would a load balancer's.",
    );
  }
}

async function tell(scene: Scene, story: Story): Promise<void> {
  const told = { scene, story };
  story.detail(
    `GitHub is played by a stand-in on ${scene.github.url}, which checks every request against GitHub's own API ` +
      'description.',
  );
  story.detail('The repo acme/shop was made through the API; its repo token is what the workflow keeps as a secret.');
  await mainBuild(told);
  await firstPush(told);
  await secondPush(told);
  await pullOfFork(told);
  scene.checkNothingOdd();
}

/** Only while the server runs: nothing is left that leads to one that has stopped. */
async function showPages(scene: Scene, { heading, say }: Story, { database }: Storage): Promise<void> {
  heading('Open this');
  const builds = scene.builds();
  const last = builds.at(-1);
  const next = last === undefined ? '' : `&next=${new URL(last.url).pathname}`;
  say('It has a button that signs you in, once, and leads to the last build:');
  say(`  ${await makeSignInLink(scene.instances.first, database)}${next}`);
  say('Then these open too:');
  for (const build of builds) say(`  build ${build.number}: ${build.url}`);
}

/** Ctrl-C, or what a script sends. */
async function waitForEnd(scene: Scene, { say, detail }: Story): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  say(`The server stays up on ${scene.instances.first.url} until Ctrl-C. --verbose prints all that happened.`);
  await asked;
  detail('\nGood bye.');
}

await main();
