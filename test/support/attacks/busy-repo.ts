import { job, type RepoJson, shaOf, sourceFile } from '../coverage-api.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost } from './attack.ts';

const BUILDS = 60;
const FLAGS = 25;
const WRITES_PER_SECOND = 10;
/** Seconds that another repo's status may take beside them. */
const LIMIT = 15;

type Repo = RepoJson & { readonly token: string };

async function newRepo({ api }: AttackedServer, github: GithubStandIn, name: string): Promise<Repo> {
  github.addRepo(name);
  return api.createRepo({ service: 'github', name });
}

const upload = (repo: Repo, commit: string, fields: object) => ({
  ...job({ repo_token: repo.token, commit_sha: shaOf(commit), source_files: [sourceFile('a.ts', [1, 0])] }),
  service_branch: 'main',
  ...fields,
});

/**
 * One repo closes builds of many flags, each of which has a status; another repo's status is posted in the meantime.
 */
export const busyRepo: Attack = {
  name: 'busy-repo',
  async run(start) {
    const github = await startGithubStandIn();
    try {
      const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token };
      const attacked = await start({ ...env, GITHUB_WRITES_PER_SECOND: String(WRITES_PER_SECOND) });
      const [busy, other] = [
        await newRepo(attacked, github, 'acme/busy'),
        await newRepo(attacked, github, 'acme/other'),
      ];
      await closeMany(attacked, github, busy);
      github.addCommit(other.name, { sha: shaOf('other'), branch: 'main' });
      const since = performance.now();
      await attacked.api.uploadJob(upload(other, 'other', {}));
      await waitFor(() => github.lastStatuses(other.name, shaOf('other')).get('coverage')?.state === 'success', {
        what: "the other repo's status",
        timeoutMs: 50_000,
      });
      const posted = github.requests().filter(({ method, path }) => method === 'POST' && path.includes('/statuses/'));
      return [
        atMost(LIMIT, {
          attack: `${BUILDS} builds of ${FLAGS} flags of one repo, ${posted.length} statuses posted meanwhile`,
          of: "another repo's status",
          measured: (performance.now() - since) / 1_000,
          unit: 's',
        }),
      ];
    } finally {
      await github.close();
    }
  },
};

async function closeMany({ api }: AttackedServer, github: GithubStandIn, repo: Repo): Promise<void> {
  for (let build = 1; build <= BUILDS; build += 1) {
    const commit = `busy ${build}`;
    github.addCommit(repo.name, { sha: shaOf(commit), branch: 'main' });
    for (let flag = 1; flag <= FLAGS; flag += 1) {
      const fields = { service_number: String(build), flag_name: `flag-${flag}`, parallel: flag < FLAGS };
      const { status, text } = await api.uploadJob(upload(repo, commit, fields));
      if (status !== 200) throw new Error(`A job was not taken: ${status} ${text.slice(0, 200)}`);
    }
  }
}
