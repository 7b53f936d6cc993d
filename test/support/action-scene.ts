import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shaOf } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import { HOOK_SECRET } from './hooks-client.ts';
import { pushEvent, type WorkflowEvent } from './runner-stand-in/event-payloads.ts';
import { type ActionResult, type ActionStep, runAction } from './runner-stand-in/run-action.ts';
import { type Service, startService } from './service.ts';

export const REPO = 'acme/shop';
/** The head of main. */
export const MAIN = shaOf('main of the shop');

/** The built action beside a real server and a GitHub: `a.js` has two lines, of which `lcov.info` covers one. */
export interface ActionScene {
  readonly github: GithubStandIn;
  readonly service: Service;
  readonly token: string;
  readonly workspace: string;
  /** A run of REPO on GitHub. */
  addRun(run?: Partial<Parameters<GithubStandIn['addRun']>[1]>): string;
  /** A step with the repo token; on main, where no event is given. */
  step(inputs?: Readonly<Record<string, string>>, step?: Partial<ActionStep>): Promise<ActionResult>;
  end(): Promise<void>;
}

/** Writes the report of the scene with these hits of its two lines. */
export function writeReport(workspace: string, hits: readonly [number, number]): Promise<void> {
  const lines = hits.map((count, index) => `DA:${index + 1},${count}\n`).join('');
  return writeFile(join(workspace, 'lcov.info'), `SF:a.js\n${lines}end_of_record\n`);
}

export function pushOf(sha: string, branch = 'main'): WorkflowEvent {
  return pushEvent({ repo: REPO, branch, sha });
}

export async function startActionScene(): Promise<ActionScene> {
  const github = await startGithubStandIn();
  github.addRepo(REPO);
  github.addCommit(REPO, { sha: MAIN, branch: 'main' });
  const service = await startService({ github, env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET } });
  const { token } = await service.newRepo({ service: 'github', name: REPO });
  const workspace = await mkdtemp(join(tmpdir(), 'action-scene-'));
  await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
  await writeReport(workspace, [1, 0]);
  return {
    github,
    service,
    token,
    workspace,
    addRun: (run = {}) => String(github.addRun(REPO, { headSha: MAIN, ...run }).id),
    step: (inputs = {}, step = {}) =>
      runAction({
        workspace,
        event: pushOf(MAIN),
        ...step,
        inputs: { 'server-url': service.url, 'repo-token': token, ...inputs },
      }),
    async end() {
      await service.stop();
      await github.close();
      await rm(workspace, { recursive: true });
    },
  };
}
