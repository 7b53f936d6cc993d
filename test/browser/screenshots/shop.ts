import { firstPush, mainBuild } from '../../demo/chapters.ts';
import { createScene, type Scene } from '../../demo/scene.ts';
import type { Story } from '../../demo/story.ts';
import { makeSignInLink } from '../../demo/visitor.ts';
import { makePast } from './past.ts';

/** The demo's servers at the moment of the pictures. */
export interface Shop {
  readonly scene: Scene;
  /** Leads to the server for a browser that is told so (`--host-resolver-rules`). */
  readonly address: string;
  readonly port: number;
  /** The address of a button that signs a browser in, once. */
  makeSignInLink(): Promise<string>;
  /** Path of the failing build. */
  readonly build: string;
  /** The comment's Markdown. */
  readonly comment: string;
}

/** Pictures are all that is wanted of the demo here. */
const nothing = () => undefined;
const SILENT: Story = { heading: nothing, say: nothing, detail: nothing };

const ADDRESS = 'http://coverage.example';
const MINUTE = 60_000;
const DAY = 86_400_000;
/** The commits of the demo were made two days before. */
const PUSHED = Date.parse('2030-01-04T09:30:00Z');
const clockAt = (moment: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('clock.mjs', import.meta.url).href}`,
  CLOCK: new Date(moment).toISOString(),
});

/** Plays the demo until its first verdict on the pull request, a month of builds before it. */
export async function openShop(): Promise<Shop> {
  let now = PUSHED - 30 * DAY;
  const scene = await createScene({ tell: () => undefined, env: clockAt(now), now: () => now });
  try {
    const { first: server } = scene.instances;
    const moveTo = async (moment: number, env = {}): Promise<void> => {
      now = moment;
      await server.restart({ ...clockAt(now), ...env });
    };
    await makePast(scene, (day) => moveTo(PUSHED - (29 - 2.3 * day) * DAY));
    await moveTo(PUSHED - 2 * DAY);
    await mainBuild({ scene, story: SILENT });
    await moveTo(PUSHED);
    await firstPush({ scene, story: SILENT });
    await moveTo(PUSHED + 12.9 * MINUTE, { BASE_URL: ADDRESS, CLOCK_STANDS: 'yes' });
    const [comment] = scene.host.comments(scene.repo, 7);
    const build = scene.builds().at(-1);
    if (comment === undefined || build === undefined) throw new Error('The demo has no comment or no build');
    return {
      scene,
      address: ADDRESS,
      port: server.port,
      async makeSignInLink() {
        const { pathname, search } = new URL(await makeSignInLink(server, undefined, clockAt(now)));
        return `${ADDRESS}${pathname}${search}`;
      },
      build: new URL(build.url).pathname,
      comment: comment.body,
    };
  } catch (error) {
    await scene.dispose();
    throw error;
  }
}
