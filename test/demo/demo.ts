import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { firstPush, mainBuild, pullOfFork, secondPush } from './chapters.ts';
import { openDemoDatabase } from './database.ts';
import type { Storage } from './instances.ts';
import { createScene, type Scene } from './scene.ts';
import { heading, say } from './story.ts';
import { makeSignInLink } from './visitor.ts';

const USAGE = 'npm run demo -- [--once] [--mongodb <URL, with a database or without>|auto [--instances <1 to 8>]]';

/**
 * The whole story on one machine: the real server, a stand-in for GitHub, and the built action, run as GitHub runs it.
 * `--once`, or no terminal: ends by itself, with exit code 0 only if everything happened. `--mongodb`: on a MongoDB
 * database, by as many
 * server processes as `--instances` says.
 */
async function main(): Promise<void> {
  const { once: endsItself, mongodb, instances } = readArguments();
  const staysUp = !endsItself && process.stdout.isTTY === true;
  heading('Coverage, from a test run to the pull request');
  const database = mongodb === undefined ? undefined : await openDemoDatabase(mongodb);
  try {
    await play({ database, instances }, staysUp);
  } finally {
    await database?.dispose();
  }
}

function readArguments(): { readonly once: boolean; readonly mongodb: string | undefined; readonly instances: number } {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      mongodb: { type: 'string' },
      instances: { type: 'string', default: '1' },
    },
  });
  const { once, mongodb } = values;
  const instances = Number(values.instances);
  const isCount = Number.isSafeInteger(instances) && instances >= 1 && instances <= 8;
  if (!isCount) throw new Error(`--instances is a number from 1 to 8. Usage: ${USAGE}`);
  if (instances > 1 && mongodb === undefined)
    throw new Error(`SQLite takes one process, so give --mongodb. Usage: ${USAGE}`);
  return { once, mongodb, instances };
}

async function play(storage: Storage, staysUp: boolean): Promise<void> {
  const scene = await createScene({ tell: say, storage });
  try {
    introduce(scene, storage);
    await tell(scene);
    if (staysUp) {
      await showPages(scene, storage);
      await waitForInterrupt(scene);
    }
  } finally {
    await scene.dispose();
  }
}

function introduce({ instances }: Scene, { database }: Storage): void {
  const [first, ...others] = instances.all.map(({ url }) => url);
  if (database === undefined) say(`The server listens on ${first}, with its data in one SQLite file.`);
  else if (others.length === 0) say(`The server listens on ${first}, with its data in MongoDB: ${database.where}.`);
  else {
    say(
      `${instances.all.length} equal servers listen on ${[first, ...others].join(' and ')}, all on one MongoDB: ` +
        `${database.where}.`,
    );
    say(
      'Each step of the workflow goes to another one in turn; links have the address of the first, as they ' +
        "would a load balancer's.",
    );
  }
}

async function tell(scene: Scene): Promise<void> {
  say(
    `GitHub is played by a stand-in on ${scene.github.url}, which checks every request against GitHub's own API ` +
      'description.',
  );
  say('The repo acme/shop was made through the API; its repo token is what the workflow keeps as a secret.');
  await mainBuild(scene);
  await firstPush(scene);
  await secondPush(scene);
  await pullOfFork(scene);
  scene.checkNothingOdd();
}

/** Only while the server runs: nothing is left that leads to one that has stopped. */
async function showPages(scene: Scene, { database }: Storage): Promise<void> {
  heading('Open these');
  const builds = scene.builds();
  const last = builds.at(-1);
  const next = last === undefined ? '' : `&next=${new URL(last.url).pathname}`;
  say('The repo is private. This address has a button that signs you in, once, and leads to the last build:');
  say(`  ${await makeSignInLink(scene.instances.first, database)}${next}`);
  say('Then these open too:');
  for (const build of builds) say(`  build ${build.number}: ${build.url}`);
}

async function waitForInterrupt(scene: Scene): Promise<void> {
  say(`\nThe server stays up on ${scene.instances.first.url}. Ctrl-C ends it.`);
  await once(process, 'SIGINT');
  say('\nGood bye.');
}

await main();
