import { coverageApi, shaOf } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export const REPO = 'acme/shop';

interface CrashScene {
  readonly server: ServerProcess;
  readonly github: GithubStandIn;
  readonly api: ReturnType<typeof coverageApi>;
  readonly token: string;
}

/** A server process that can be killed, with a repo at GitHub: one at a time. */
export function createCrashScene(): { start(): Promise<CrashScene>; end(): Promise<void> } {
  const running: { server?: ServerProcess; github?: GithubStandIn } = {};
  return {
    async start() {
      const github = await startGithubStandIn();
      running.github = github;
      github.addRepo(REPO);
      github.addCommit(REPO, { sha: shaOf('commit'), branch: 'main', message: 'Change prices' });
      const server = await startServer({ env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token } });
      running.server = server;
      const api = coverageApi(server.url, server.adminToken);
      const { token } = await api.createRepo({ name: REPO });
      return { server, github, api, token };
    },
    async end() {
      await running.server?.dispose();
      await running.github?.close();
    },
  };
}
