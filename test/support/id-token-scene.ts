import type { JobAnswer } from '@coverage/shared';
import type { Reply } from './coverage-api.ts';
import { shaOf } from './coverage-api.ts';
import type { IdTokenClaims, Signing } from './github-stand-in/id-tokens.ts';
import { startTokenScene, type TokenScene, type Upload } from './provider-token-scene.ts';

export const PULL = { number: 7, head: shaOf('head of 7'), merge: shaOf('merge of 7') } as const;

/** A scene whose repo `acme/shop` is known here by GitHub's id, with the pull request PULL and a run of each kind. */
export interface IdTokenScene extends TokenScene {
  /** Ids of a run of a push to main, of one of PULL, and of one of a fork's pull request. */
  readonly runs: Readonly<Record<'push' | 'pull' | 'fork', string>>;
  /** For this server, of the run of the push where nothing else is stated. */
  token(claims?: IdTokenClaims, signing?: Signing): string;
  /** The claims of a run of PULL, which tests the merge commit. */
  readonly ofPull: IdTokenClaims;
  uploadWith(token: string, fields?: Upload): Promise<Reply<JobAnswer>>;
  /** How many builds there are of the repo. */
  builds(): Promise<number>;
}

export async function startIdTokenScene(env: Readonly<Record<string, string>> = {}): Promise<IdTokenScene> {
  const scene = await startTokenScene(env);
  const { github, service } = scene;
  github.addCommit('acme/shop', { sha: shaOf('base'), branch: 'release' });
  github.addPullRequest('acme/shop', {
    number: PULL.number,
    headSha: PULL.head,
    headRef: 'topic',
    baseRef: 'main',
    mergeCommitSha: PULL.merge,
  });
  const ofPull = { headSha: PULL.head, headBranch: 'topic', event: 'pull_request' };
  const runs = {
    push: String(scene.addRun()),
    pull: String(scene.addRun(ofPull)),
    fork: String(scene.addRun({ ...ofPull, headRepo: 'mona/shop' })),
  };
  const issued: string[] = [];
  return {
    ...scene,
    // What is claimed is in logs and in the database; what proves it does not.
    checkSecrecy: () => scene.checkSecrecy(issued.map((token) => token.split('.')[2] ?? '').filter(Boolean)),
    runs,
    token(claims = {}, signing) {
      const token = github.issueIdToken('acme/shop', { aud: service.url, run_id: runs.push, ...claims }, signing);
      issued.push(token);
      return token;
    },
    ofPull: {
      run_id: runs.pull,
      sha: PULL.merge,
      ref: `refs/pull/${PULL.number}/merge`,
      head_ref: 'topic',
      base_ref: 'main',
    },
    uploadWith: (repo_token, fields = {}) =>
      scene.upload({ repo_token, service_number: '', git: { head: {} }, ...fields }),
    async builds() {
      const repo = await service.store.repos.findByName('github', 'acme/shop');
      if (repo === undefined) return 0;
      return (await service.store.views.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 1 })).total;
    },
  };
}
