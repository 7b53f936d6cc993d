import { expect, test } from 'vitest';
import { inheritedEnvironment, startChild } from '../support/child-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** A terminal of usual height. */
const SCREEN = 40;

const FORK = '4. Pull request 8 comes from a fork';
/** And how many verdicts of pull requests are shown: not every host's CI runs those of forks. */
const HOSTS = [
  ['github', `${FORK}: its run has no secret, and GitHub vouches for it`, 2],
  ['gitlab', '4. Merge request !8 comes from a fork: its run has no secret, and its CI_JOB_TOKEN vouches for it', 2],
  ['gitea', `${FORK}: its run has no secret, and Gitea vouches for it`, 2],
  ['forgejo', `${FORK}: its run has no secret, and Forgejo vouches for it`, 2],
  ['bitbucket', `${FORK}: Bitbucket runs no pipeline for it, so nothing is uploaded`, 1],
  ['bitbucket-server', `${FORK}: Jenkins gives its run no secret, so nothing is uploaded`, 1],
] as const;

test.each(HOSTS)(
  'npm run demo on %s: one screen, and it stays up until it is asked to stop',
  async (host, heading, verdicts) => {
    const root = new URL('../..', import.meta.url).pathname;
    const demo = startChild({
      script: 'test/demo/demo.ts',
      args: ['--host', host],
      cwd: root,
      env: inheritedEnvironment(),
    });
    const last = () => demo.lines.find((line) => line.startsWith('The server stays up on '));
    await waitFor(() => last() ?? (demo.ended() && 'ended'), { what: 'the demo', timeoutMs: 120_000 });
    const [, url = ''] = /on (http:\S+)/.exec(last() ?? '') ?? [];
    expect(demo.lines.length).toBeLessThanOrEqual(SCREEN);
    const text = demo.lines.join('\n');
    expect(text).toContain(heading);
    expect(text).toContain('3 builds imported; Codecov showed 60%');
    expect(text).toContain('a pull request misses them: ✗ 2 lines flip without a change of the text');
    expect(text).toContain('50 builds of main: ✓ they alone do not fail a build');
    expect(text).toMatch(/main misses them 3 builds in a row: lost since [0-9a-f]{7}, and said there/);
    expect(text).not.toMatch(/[0-9a-f]{40}/);
    expect(text.match(/│ ❌ Coverage/g)).toHaveLength(verdicts);
    const [link = ''] = /http:\S+next=\S+/.exec(text) ?? [];
    expect([(await fetch(url)).status, (await fetch(link)).status]).toEqual([200, 200]);
    expect(demo.ended()).toBeUndefined();
    demo.signal('SIGTERM');
    expect(await demo.end).toEqual({ code: 0, signal: null });
  },
  150_000,
);
