import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startBitbucketServerStandIn } from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../support/bitbucket-stand-in/present.ts';
import { builtCommand } from '../support/built-command.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import type { HostSetUp } from '../support/github-stand-in/host-set-up.ts';
import { startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { setupProofs } from '../support/setup-proofs.ts';
import { waitFor } from '../support/wait-for.ts';

/** What the set-up page of a repo says to paste is run, command by command, as the host's CI runs it. */

const NAME = 'acme/shop';
const RUN = 71;
const TESTS = /^npm ci && npm test\b/;

type Variables = Readonly<Record<string, string>>;

interface Ci {
  readonly host: HostSetUp & { close(): Promise<void>; violations(): readonly string[] };
  readonly settings: Variables;
  /** What the CI sets, once the server and its repo are there. */
  variables(asked: { readonly head: string; readonly root: string; readonly token: string }): Variables;
  /** The commands of what is pasted, with what each of them gets besides. */
  commands(pasted: string): readonly { readonly run: string; readonly env?: Variables }[];
}

interface Step {
  readonly run?: string;
  readonly env?: Variables;
}

const CIS: Readonly<Record<string, () => Promise<Ci>>> = {
  async gitlab() {
    const host = await startGitlabStandIn();
    return {
      host,
      settings: { GITLAB_URL: host.url, GITLAB_TOKEN: host.token },
      variables: ({ head, root }) => ({
        ...{ GITLAB_CI: 'true', CI_PIPELINE_ID: `${RUN}`, CI_PIPELINE_IID: '1', CI_PIPELINE_SOURCE: 'push' },
        ...{ CI_PROJECT_PATH: NAME, CI_JOB_NAME: 'coverage', CI_COMMIT_SHA: head, CI_COMMIT_REF_NAME: 'main' },
        COVERALLS_REPO_TOKEN: host.signIdToken({
          ...{ project_path: NAME, project_id: String(host.idOf(NAME)), ref: 'main', ref_path: 'refs/heads/main' },
          ...{ pipeline_id: `${RUN}`, pipeline_source: 'push', user_login: 'mona', sha: head, aud: root },
        }),
      }),
      commands: (pasted) => linesOf((parse(pasted) as { coverage: { script: string[] } }).coverage.script),
    };
  },
  gitea: () => actionsOf('gitea'),
  forgejo: () => actionsOf('forgejo'),
  async bitbucket() {
    const host = await startBitbucketStandIn();
    const step = uuidOf(1);
    return {
      host,
      settings: { BITBUCKET_API_URL: host.url, BITBUCKET_TOKEN: host.token },
      variables: ({ head, root }) => ({
        ...{ BITBUCKET_BUILD_NUMBER: '1', BITBUCKET_COMMIT: head, BITBUCKET_BRANCH: 'main', BITBUCKET_STEP_UUID: step },
        BITBUCKET_REPO_FULL_NAME: NAME,
        BITBUCKET_STEP_OIDC_TOKEN: host.signIdToken('acme', {
          ...{ repositoryUuid: host.idOf(NAME), pipelineUuid: uuidOf(RUN), stepUuid: step, aud: [root] },
        }),
      }),
      commands(pasted) {
        type Steps = readonly { readonly step: { readonly script: string[] } }[];
        const file = parse(pasted) as { pipelines: { branches: { main: Steps }; 'pull-requests': { '**': Steps } } };
        const [step] = file.pipelines.branches.main;
        expect(file.pipelines['pull-requests']['**']).toEqual([step]);
        return linesOf(step?.step.script ?? []);
      },
    };
  },
  async stash() {
    const host = await startBitbucketServerStandIn();
    return {
      host,
      settings: { BITBUCKET_SERVER_URL: host.url, BITBUCKET_SERVER_TOKEN: host.token },
      variables: ({ head, token }) => ({
        ...{ JENKINS_URL: 'https://ci.acme.example', BUILD_NUMBER: `${RUN}`, BUILD_ID: `${RUN}`, GIT_COMMIT: head },
        ...{ BRANCH_NAME: 'main', COVERALLS_REPO_TOKEN: token },
      }),
      commands: (pasted) => linesOf([...pasted.matchAll(/^ +sh '([^']*)'/gm)].map(([, run = '']) => run)),
    };
  },
};

async function actionsOf(flavor: 'gitea' | 'forgejo'): Promise<Ci> {
  const host = await startGiteaStandIn({ flavor });
  const setting = flavor.toUpperCase();
  let secret = '';
  return {
    host,
    settings: { [`${setting}_URL`]: host.url, [`${setting}_TOKEN`]: host.token },
    variables({ head, token }) {
      secret = token;
      const run = { repository: NAME, run_id: `${RUN}`, run_number: '1', run_attempt: '1', sha: head };
      return {
        ...{ GITHUB_ACTIONS: 'true', GITEA_ACTIONS: 'true', GITHUB_SERVER_URL: host.url, GITHUB_REPOSITORY: NAME },
        ...{ GITHUB_SHA: head, GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_NAME: 'push', GITHUB_RUN_ID: `${RUN}` },
        ...{ GITHUB_JOB: 'coverage', GITHUB_RUN_NUMBER: '1', GITHUB_RUN_ATTEMPT: '1', GITHUB_ACTOR: 'mona' },
        ...(flavor === 'forgejo' && {
          FORGEJO_ACTIONS: 'true',
          ...host.allowIdTokens({ ...run, ref: 'refs/heads/main', event_name: 'push', actor: 'mona' }),
        }),
      };
    },
    commands(pasted) {
      const { jobs } = parse(pasted) as { jobs: { coverage: { steps: readonly Step[] } } };
      return jobs.coverage.steps.flatMap(({ run, env = {} }) => {
        const given = Object.entries(env).map(([name, value]) => [
          name,
          value.replace('$' + '{{ secrets.COVERALLS_REPO_TOKEN }}', secret),
        ]);
        return run === undefined ? [] : [{ run, env: Object.fromEntries(given) as Variables }];
      });
    },
  };
}

const linesOf = (script: readonly string[]) => script.map((run) => ({ run }));

let checkout: GitRepo;
let head: string;
beforeAll(async () => {
  await builtCommand();
  checkout = createGitRepo();
  head = checkout.commit('Add the cart', {
    'a.js': 'a();\nb();\n',
    'coverage/lcov.info': 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n',
  });
});
afterAll(() => checkout.remove());

test.each(Object.entries(CIS))('at %s, and each step is marked', async (service, start) => {
  const { host, settings, variables, commands } = await start();
  host.addRepo(NAME);
  host.addCommit(NAME, { sha: head, branch: 'main' });
  host.addRun(NAME, { id: RUN, headSha: head, headBranch: 'main' });
  const ours = await startService({ env: settings });
  const { token } = await ours.newRepo({ service, name: NAME });
  const pasted = snippetIn(await pageOf(ours, `/${service}/${NAME}`));
  const ofCi = variables({ head, root: ours.url, token });
  const [tests, ...others] = commands(pasted);
  expect(tests?.run).toMatch(TESTS);
  expect(others).toHaveLength(2);
  for (const { run, env } of others) {
    const all = { ...inheritedEnvironment(), ...ofCi, ...env };
    await promisify(execFile)('sh', ['-ec', run], { cwd: checkout.directory, env: all });
  }
  const proofs = async () => setupProofs(await pageOf(ours, `/${service}/${NAME}/set-up`));
  await waitFor(async () => ((await proofs())[3]?.startsWith('ok: ') ? true : undefined), {
    ...{ what: 'the status', intervalMs: 20, meanwhile: ours.time.skipPause },
  });
  const [access, , upload] = await proofs();
  expect(access).toMatch(/^ok: /);
  expect(upload).toMatch(new RegExp(`^ok: An upload has arrived: build (?:1|${RUN}) for commit ${head.slice(0, 7)}`));
  await ours.stop();
  await host.close();
  expect(host.violations()).toEqual([]);
});

async function pageOf({ api, adminToken }: Service, path: string): Promise<string> {
  const headers = { authorization: `token ${adminToken}`, accept: 'text/html' };
  return (await api.send(path, { headers })).text;
}

/** What a reader selects and copies. */
function snippetIn(html: string): string {
  const [, text = ''] = /<h2>Paste this .*?<pre class="all fit"><code>(.*?)<\/code>/s.exec(html) ?? [];
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
