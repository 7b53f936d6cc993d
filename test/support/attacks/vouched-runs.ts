import { ACCESS_WORKFLOW, startAccessGithub } from '../access/access-github.ts';
import { ACCESS_COMMIT } from '../access/access-scene.ts';
import { job, shaOf } from '../coverage-api.ts';
import { type Attack, atMost } from './attack.ts';

const repo = { service: 'github', name: 'acme/closed' };

/** A workflow's own token names the build of another commit, to add to it, close it and rerun it. */
export const vouchedRuns: Attack = {
  name: 'vouched-runs',
  async run(start) {
    const { env, run, close } = await startAccessGithub();
    try {
      const { api } = await start(env);
      const { token } = await api.createRepo(repo);
      const upload = async (fields: object): Promise<string> => {
        const { json } = await api.uploadJob({ ...job({ repo_token: token }), parallel: true, ...fields });
        return (await api.jobJson(json.url.slice(json.url.lastIndexOf('/') + 1))).json.build;
      };
      const workflow = { repo_token: ACCESS_WORKFLOW, repo_name: repo.name };
      const theirs = await upload({ service_number: '4711', commit_sha: shaOf('another commit') });
      const named = { service_number: '4711', service_job_id: run, commit_sha: ACCESS_COMMIT };
      const reached = [(await upload({ ...workflow, ...named })) === theirs ? 'joined' : ''];
      for (const path of ['/webhook', '/rerun_build']) {
        const query = new URLSearchParams({ ...workflow, build_num: '4711' });
        const { status } = await api.send(`${path}?${query}`, { method: 'POST' });
        if (status < 400) reached.push(path);
      }
      const { state } = (await api.buildJson(theirs)).json;
      const attack = "a workflow's token names another commit's build";
      const measured = reached.filter(Boolean).length + Number(state !== 'open');
      return [atMost(0, { attack, of: 'joined, closed or rerun', measured, unit: 'times' })];
    } finally {
      await close();
    }
  },
};
