import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { type Attack, atMost } from './attack.ts';
import { createPlantedCheckout, PLANTED_SECRET, startListener } from './planted-checkout.ts';

const COMMANDS = ['report --parallel', 'done --build-number=7', 'doctor', 'check'];

/** The built command, with the CI's token, in a checkout with links to secrets and an address of its own. */
export const hostileCheckout: Attack = {
  name: 'hostile-checkout',
  async run(start) {
    const { server, api, token } = await start();
    const repo = createPlantedCheckout();
    const listener = await startListener();
    try {
      const run = (line: string, env: Readonly<Record<string, string>>) =>
        runCommand(line.split(' '), {
          folder: repo.directory,
          env: { COVERALLS_REPO_TOKEN: token, SECRET_OF_THE_CI: PLANTED_SECRET, ...env },
        });
      const sent = await run('report --send-source=all --json', { COVERAGE_ENDPOINT: server.url });
      const { build_url: build } = JSON.parse(sent.stdout) as { build_url: string };
      const asked = { headers: { authorization: `token ${server.adminToken}` } };
      const textOf = async (name: string): Promise<string> =>
        (await api.send(`${new URL(build).pathname}/source?filename=${name}`, asked)).text.replace(/<[^>]*>/g, '');
      const links = ['git.js', 'env.js', 'loose.js', 'again.js', 'taken.js', 'process.js'].map((name) => `src/${name}`);
      const texts = await Promise.all(['src/real.js', ...links].map(textOf));
      if (!texts[0]?.includes('real();')) throw new Error(`the text of src/real.js is not stored: ${texts[0]}`);
      writeFileSync(join(repo.directory, '.coveralls.yml'), `endpoint: ${listener.url}\n`);
      for (const line of COMMANDS) await run(line, {});
      const leaked = [...texts, sent.stdout, sent.stderr].filter((text) => text.includes(PLANTED_SECRET));
      return [
        atMost(0, {
          attack: `${links.length} links to secrets`,
          of: 'stored or said',
          measured: leaked.length,
          unit: 'texts',
        }),
        atMost(0, {
          attack: `an address in .coveralls.yml, ${COMMANDS.length} commands`,
          of: "asked with the CI's token",
          measured: listener.received().length,
          unit: 'times',
        }),
      ];
    } finally {
      listener.close();
      repo.remove();
    }
  },
};
