import { job, shaOf, sourceFile } from '../coverage-api.ts';
import { startGitlabStandIn } from '../gitlab-stand-in/gitlab-stand-in.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost } from './attack.ts';

const REPO = 'acme/shop';
const [MAIN, HEAD] = [shaOf('main at GitLab'), shaOf('head of a fork at GitLab')];
const REF = 'refs/merge-requests/9/head';
const JOB_TOKEN = 'glcbt-64_of_acme_shop_0123456789';

/** A fork's merge request that is tested in the project itself: its code has the project's secrets, and says `main`. */
export const gitlabForks: Attack = {
  name: 'gitlab-forks',
  async run(start) {
    const gitlab = await startGitlabStandIn();
    try {
      gitlab.addRepo(REPO);
      gitlab.addCommit(REPO, { sha: MAIN, branch: 'main' });
      const change = {
        number: 9,
        headSha: HEAD,
        headRef: 'main',
        headRepo: 'eve/shop',
        baseRef: 'main',
        baseSha: MAIN,
      };
      gitlab.addPullRequest(REPO, change);
      const { api } = await start({ GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token });
      const { token } = await api.createRepo({ service: 'gitlab', name: REPO });
      await api.changeSettings(REPO, { visibility: 'public' }, 'gitlab');
      const upload = async (pipeline: number, fields: object) => {
        const run = { service_number: String(pipeline), service_run_id: String(pipeline), service_job_id: undefined };
        const stated = { service_name: 'gitlab-ci', repo_name: REPO, git: { branch: 'main' } };
        const { json } = await api.uploadJob({ ...job({ repo_token: token }), ...stated, ...run, ...fields });
        const { build } = (await api.jobJson(json.url.slice(json.url.lastIndexOf('/') + 1))).json;
        const read = async () => {
          const { json: found } = await api.buildJson(build);
          return found.state === 'closed' ? found : undefined;
        };
        return waitFor(read, { what: 'the close', timeoutMs: 15_000 });
      };
      const all = { commit_sha: MAIN, source_files: [sourceFile('a.js', [1, 1, 1, 1])] };
      await upload(gitlab.addRun(REPO, { headSha: MAIN }).id, all);
      const ofFork = () => gitlab.addRun(REPO, { headSha: HEAD, headBranch: REF, event: 'merge_request_event' }).id;
      const [first, second] = [ofFork(), ofFork()];
      const source = 'merge_request_event';
      gitlab.addJob(JOB_TOKEN, { repo: REPO, pipeline: second, sha: HEAD, ref: REF, source, status: 'running' });
      const quarter = { commit_sha: HEAD, source_files: [sourceFile('a.js', [1, 0, 0, 0])] };
      const byJob = { ...quarter, repo_token: JOB_TOKEN, service_pull_request: '9' };
      const builds = [await upload(first, quarter), await upload(second, byJob)];
      const verified = builds.filter(({ unverified }) => !unverified).length;
      const moved = Number(!(await api.send(`/gitlab/${REPO}/badge.svg`)).text.includes('coverage: 100'));
      const attack = "a fork's merge request in a pipeline of the project, which says main";
      return [
        atMost(0, {
          attack,
          of: 'verified by the repo token, or by that of its job',
          measured: verified,
          unit: 'builds',
        }),
        atMost(0, { attack, of: "main's badge moved", measured: moved, unit: 'times' }),
      ];
    } finally {
      await gitlab.close();
    }
  },
};
