import { setTimeout as wait } from 'node:timers/promises';
import { job } from '../coverage-api.ts';
import { HEAD, REPO, startForkGithub, uploadOf } from '../fork-github.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { startGitlabStandIn } from '../gitlab-stand-in/gitlab-stand-in.ts';
import { type Attack, atMost } from './attack.ts';

const [STRANGER, OTHER] = ['203.0.113.9', '198.51.100.7'];
/** Seconds that a stranger continues, and made-up tokens in each. */
const SECONDS = 10;
const A_SECOND = 6;
/** For one address; docs/limits.md. */
const MAX = 10;
const KINDS = ['ghs_', 'ghp_', 'glcbt-', 'glpat-'];

/** Tokens that look like those of git hosts: a host that meets many of them from here may refuse our own questions. */
export const madeUpTokens: Attack = {
  name: 'made-up-tokens',
  async run(start) {
    const [{ github, run }, gitlab] = [await startForkGithub(), await startGitlabStandIn()];
    try {
      const hosts = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, GITLAB_URL: gitlab.url };
      const attacked = await start({ ...hosts, TRUST_PROXY: 'loopback' });
      await attacked.api.createRepo({ service: 'github', name: REPO });
      await attacked.api.changeSettings(REPO, { visibility: 'public' });
      const sent: Promise<number>[] = [];
      const others: Promise<number>[] = [];
      for (let second = 0; second < SECONDS; second += 1) {
        for (let count = 0; count < A_SECOND; count += 1) {
          const token = `${KINDS[sent.length % KINDS.length]}made-up-token-${sent.length}`;
          sent.push(send(attacked, { token, closes: sent.length % 3 === 0 }));
        }
        others.push(send(attacked, { fields: uploadOf(run()), address: OTHER }));
        await wait(1_000);
      }
      const taken = (await Promise.all(sent)).filter((status) => status === 200).length;
      const refused = (await Promise.all(others)).filter((status) => status !== 200).length;
      const asked = [...github.requests(), ...gitlab.requests()].filter(({ status }) => status === 401).length;
      const attack = `${A_SECOND} made-up tokens a second of GitHub and GitLab from one address, ${SECONDS} s`;
      return [
        atMost(MAX, { attack, of: `hosts asked about ${sent.length}`, measured: asked, unit: 'times' }),
        atMost(0, { attack, of: 'taken', measured: taken, unit: 'uploads' }),
        atMost(0, { attack, of: `refused of ${others.length} uploads of others`, measured: refused, unit: 'uploads' }),
      ];
    } finally {
      await Promise.all([github.close(), gitlab.close()]);
    }
  },
};

interface Sent {
  readonly token?: string;
  readonly closes?: boolean;
  readonly fields?: object;
  readonly address?: string;
}

/** Answers the status of a job, or of a close. */
async function send({ server }: AttackedServer, sent: Sent): Promise<number> {
  const { token = '', closes = false, fields = {}, address = STRANGER } = sent;
  const claim = { repo_token: token, repo_name: REPO };
  const upload = { ...job(claim), ...claim, service_name: 'github', commit_sha: HEAD, ...fields };
  const answer = await fetch(`${server.url}${closes ? '/webhook' : '/api/v1/jobs'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(closes ? { ...claim, payload: { build_num: '1', status: 'done' } } : upload),
  });
  await answer.arrayBuffer();
  return answer.status;
}
