import { parseArgs } from 'node:util';
import { firstPush, mainBuild, pullOfFork, secondPush } from './chapters.ts';
import { openDemoDatabase } from './database.ts';
import { raceThatFlips } from './flipping.ts';
import { movedFromCodecov } from './history.ts';
import { DEMO_HOSTS, type DemoHost } from './hosts.ts';
import type { Storage } from './instances.ts';
import { createScene, type Scene } from './scene.ts';
import { createStory, type Story } from './story.ts';
import { makeSignInLink } from './visitor.ts';

const USAGE =
  `npm run demo -- [--host ${Object.keys(DEMO_HOSTS).join('|')}] [--once] [--verbose] ` +
  '[--mongodb <URL, with a database or without>|auto [--instances <1 to 8>]]';

/**
 * The whole story on one machine: the real server, a stand-in for a git host, and the built action or command.
 * Stays up until it is asked to stop, or ends by itself (`--once`), with 0 only if everything happened. `--mongodb`: on
 * a MongoDB database, by as many servers as `--instances` says.
 */
async function main(): Promise<void> {
  const { once: endsItself, verbose, mongodb, instances, kind } = readArguments();
  const story = createStory(verbose);
  story.heading('Coverage, from a test run to the pull request');
  const database = mongodb === undefined ? undefined : await openDemoDatabase(mongodb);
  try {
    await play({ database, instances, kind }, story, !endsItself);
  } finally {
    await database?.dispose();
  }
}

interface Asked {
  readonly kind: DemoHost;
  readonly once: boolean;
  readonly verbose: boolean;
  readonly mongodb: string | undefined;
  readonly instances: number;
}

function readArguments(): Asked {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: 'github' },
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
  const kind = DEMO_HOSTS[values.host];
  if (kind === undefined) throw new Error(`There is no demo on ${JSON.stringify(values.host)}. Usage: ${USAGE}`);
  return { once, verbose, mongodb, instances, kind };
}

async function play(
  { kind, ...storage }: Storage & { readonly kind: DemoHost },
  story: Story,
  staysUp: boolean,
): Promise<void> {
  const scene = await createScene({ tell: story.detail, storage, kind });
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
  const { host, kind } = scene;
  story.detail(`${kind.name} is played by a stand-in on ${host.url}, ${kind.words.isChecked}.`);
  story.detail('The repo acme/shop was made through the API; its repo token is what the workflow keeps as a secret.');
  await mainBuild(told);
  await firstPush(told);
  await secondPush(told);
  await pullOfFork(told);
  await movedFromCodecov(told);
  await raceThatFlips(told);
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
