import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloseAnswer, JobAnswer, JobPayload } from '@coverage/shared';
import { expect } from 'vitest';
import { job, jsonPost, type Reply, shaOf } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { Caller } from './github-stand-in/model.ts';
import { type Service, startService } from './service.ts';

const mona = { login: 'mona', kind: 'user', access: 'write' } as const;
const actions = { login: 'github-actions[bot]', kind: 'installation', access: 'read' } as const;

/** Tokens by what they are; the stand-in knows all but `unknown`. */
export const TOKENS = {
  classic: 'ghp_classic-of-mona',
  fineGrained: 'github_pat_fine-grained-of-mona',
  oauth: 'gho_oauth-of-mona',
  userOfApp: 'ghu_app-for-mona',
  reader: 'ghp_classic-of-a-reader',
  stranger: 'ghp_classic-of-a-stranger',
  workflow: 'ghs_workflow-of-acme-shop',
  otherWorkflow: 'ghs_workflow-of-acme-other',
  app: 'ghs_app-with-many-repos',
  unknown: 'ghs_workflow-that-has-ended',
} as const;

const CALLERS: Readonly<Record<string, Caller>> = {
  'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
  [TOKENS.classic]: mona,
  [TOKENS.fineGrained]: mona,
  [TOKENS.oauth]: mona,
  [TOKENS.userOfApp]: mona,
  [TOKENS.reader]: { ...mona, login: 'rita', access: 'read' },
  [TOKENS.stranger]: { ...mona, login: 'steve', repos: ['steve/dotfiles'] },
  [TOKENS.workflow]: { ...actions, repos: ['acme/shop'] },
  [TOKENS.otherWorkflow]: { ...actions, repos: ['acme/other'] },
  [TOKENS.app]: { ...actions, login: 'checker[bot]' },
};

/** Fields of an upload; what a test states wins. */
export type Upload = Partial<JobPayload> & { readonly repo_token?: string; readonly repo_name?: string };

/**
 * GitHub with the repos `acme/shop` and `acme/other` and the private `acme/vault`, and a service on a file, asked with
 * whatever token.
 */
export interface TokenScene {
  readonly github: GithubStandIn;
  readonly service: Service;
  /** Uploads as the official action does: the run's id as number, the job's name as job id. */
  upload(fields: Upload): Promise<Reply<JobAnswer>>;
  close(fields: Readonly<Record<string, unknown>>, buildNumber?: string | number): Promise<Reply<CloseAnswer>>;
  /** A new run of acme/shop in progress. */
  addRun(run?: Partial<Parameters<GithubStandIn['addRun']>[1]>): number;
  /** No token, nor one of `others`, in any answer, log line or file of the database; GitHub knows what it was asked. */
  checkSecrecy(others?: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** The commit of every run that states none. */
export const HEAD = shaOf('head of main');

export async function startTokenScene(env: Readonly<Record<string, string>> = {}): Promise<TokenScene> {
  const github = await startGithubStandIn({ tokens: CALLERS });
  for (const name of ['acme/shop', 'acme/other']) github.addRepo(name);
  github.addRepo('acme/vault', { private: true });
  github.addCommit('acme/shop', { sha: HEAD, branch: 'main' });
  const folder = await mkdtemp(join(tmpdir(), 'provider-tokens-'));
  const service = await startService({
    github,
    env: { DATABASE_URL: `sqlite:${join(folder, 'coverage.db')}`, ...env },
  });
  const answers: string[] = [];
  const noted = async <T>(reply: Promise<Reply<T>>): Promise<Reply<T>> => {
    answers.push(JSON.stringify([[...(await reply).headers], (await reply).text]));
    return reply;
  };
  const json = (path: string, body: object): ReturnType<typeof service.api.send<never>> =>
    noted(service.api.send(path, jsonPost(body)));
  return {
    github,
    service,
    upload: ({ repo_token = '', ...fields }) =>
      json('/api/v1/jobs', {
        ...job({ repo_token, service_name: 'github', service_job_id: 'test', commit_sha: HEAD }),
        ...fields,
        repo_token: repo_token || undefined,
      }),
    close: (fields, buildNumber) =>
      json('/webhook', { ...fields, payload: { build_num: buildNumber, status: 'done' } }),
    addRun: (run = {}) => github.addRun('acme/shop', { headSha: HEAD, ...run }).id,
    async checkSecrecy(others = []) {
      const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')));
      expect(files.join('').length).toBeGreaterThan(10_000);
      for (const token of [...Object.values(TOKENS), ...others]) {
        for (const text of [...answers, service.log.text(), ...files]) expect(text.includes(token), token).toBe(false);
      }
      expect(github.violations()).toEqual([]);
    },
    async end() {
      await service.stop();
      await github.close();
      await rm(folder, { recursive: true });
    },
  };
}
