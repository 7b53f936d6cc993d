import { fileURLToPath } from 'node:url';
import { openStore } from '../../../server/src/storage/open/open-store.ts';
import { startAccessGithub } from '../access/access-github.ts';
import { createAccessScene, SCRAPE_TOKEN } from '../access/access-scene.ts';
import { readAnswers } from '../access/access-table.ts';
import { addLostGroup, LOST_GROUP_ENV } from '../access/lost-group.ts';
import { listRoutes, walkAccess } from '../access/walk-access.ts';
import { inheritedEnvironment, startChild } from '../child-process.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Attack, atMost } from './attack.ts';

const tokenCommand = fileURLToPath(new URL('../../../server/dist/cli/token.js', import.meta.url));

/** Every caller at every route that the tables name. */
export const access: Attack = {
  name: 'access',
  async run(start) {
    const host = await startAccessGithub();
    try {
      const { server } = await start({ ...LOST_GROUP_ENV, METRICS_TOKEN: SCRAPE_TOKEN, ...host.env });
      const { url, adminToken } = server;
      const scene = await createAccessScene({ host, url, adminToken, ...createTokens(server) });
      const markdown = await readAnswers();
      const { requests, problems } = await walkAccess(scene, { routes: listRoutes(markdown), markdown });
      for (const problem of problems) console.error(problem);
      const attack = `${requests} requests of every caller to every route`;
      return [
        atMost(0, {
          attack,
          of: 'not as in test/support/access/answers.md',
          measured: problems.length,
          unit: 'answers',
        }),
      ];
    } finally {
      await host.close();
    }
  },
};

/** Personal tokens, by the command that operators use beside a running server. */
function createTokens({ directory }: ServerProcess) {
  const url = `sqlite:${directory}/coverage.db`;
  const command = async (...args: string[]): Promise<readonly string[]> => {
    const env = { ...inheritedEnvironment(), DATABASE_URL: url };
    const child = startChild({ script: tokenCommand, args, cwd: directory, env });
    const { code } = await child.end;
    if (code !== 0) throw new Error(`token ${args.join(' ')} ended with ${code}: ${child.lines.join('\n')}`);
    return child.stdout;
  };
  return {
    async newToken(user: string, role = 'user') {
      const [token = ''] = await command('create', '--user', user, '--role', role);
      return token;
    },
    async newLostGroup() {
      const store = await openStore({ url, mustExist: true });
      try {
        return await addLostGroup(store);
      } finally {
        await store.close();
      }
    },
    async revoke(user: string) {
      const line = (await command('list')).find((one) => one.includes(` ${user} `));
      await command('revoke', line?.trim().split(' ')[0] ?? '');
    },
  };
}
