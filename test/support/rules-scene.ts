import type { BuildJson } from '@coverage/shared';
import { job, shaOf, sourceFile } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import { type Service, startService } from './service.ts';

export const COVERAGE_YML = '.github/coverage.yml';

/** Hits of each file, by its name. */
type Files = Readonly<Record<string, readonly (number | null)[]>>;

/** `covered` of `all` lines. */
export function hits(covered: number, all: number): readonly number[] {
  return Array.from({ length: all }, (_, at) => (at < covered ? 1 : 0));
}

/** What a test changes in a pull request: files of the repo by their texts, `null` for one that goes. */
interface PullSetUp {
  readonly number?: number;
  readonly files: Files;
  readonly texts?: Readonly<Record<string, string>>;
  /** Names of files that it changes besides those texts. */
  readonly changed?: readonly string[];
  readonly fork?: boolean;
  readonly base?: string;
  readonly baseRef?: string;
  readonly fields?: object;
}

/** GitHub and a service that knows it, where repos keep a file of their own. */
export interface RulesScene {
  readonly github: GithubStandIn;
  readonly service: Service;
  /** A repo whose main has a commit with these texts, and a build of it. */
  repoWith(texts: Readonly<Record<string, string>>, files: Files, settings?: object): Promise<RulesRepo>;
  end(): Promise<void>;
}

export interface RulesRepo {
  readonly name: string;
  readonly id: number;
  readonly token: string;
  readonly main: BuildJson;
  /** A commit on a branch, by default main, and the build of its push. */
  push(change: Pick<PullSetUp, 'files' | 'texts' | 'fields'> & { readonly branch?: string }): Promise<BuildJson>;
  pull(change: PullSetUp): Promise<BuildJson>;
  statuses(commit: string): Readonly<Record<string, string>>;
  comment(pull: number): string;
  /** Once nothing is left to be told to the host. */
  delivered(): Promise<void>;
}

export async function startRulesScene(env: Readonly<Record<string, string>> = {}): Promise<RulesScene> {
  const github = await startGithubStandIn();
  const service = await startService({ github, env });
  let repos = 0;
  return {
    github,
    service,
    async repoWith(texts, files, settings) {
      repos += 1;
      const name = `acme/rules-${repos}`;
      github.addRepo(name);
      const made = await service.newRepo({ service: 'github', name });
      if (settings !== undefined) await service.api.changeSettings(name, settings);
      return createRepo({ github, service, name, made }, { texts, files });
    },
    async end() {
      await service.stop();
      await github.close();
    },
  };
}

async function createRepo(
  {
    github,
    service,
    name,
    made,
  }: Pick<RulesScene, 'github' | 'service'> & { name: string; made: { id: number; token: string } },
  first: Pick<PullSetUp, 'files'> & { readonly texts: Readonly<Record<string, string>> },
): Promise<RulesRepo> {
  let commits = 0;
  const tips = new Map<string, string>();
  const texts = new Map<string, Readonly<Record<string, string>>>();
  const commit = (change: Pick<PullSetUp, 'texts'>, parent: string | undefined, branch?: string): string => {
    commits += 1;
    const sha = shaOf(`${name} ${commits}`);
    github.addCommit(name, { sha, ...(parent && { parents: [parent] }), ...(branch && { branch }) });
    const all = { ...(parent && texts.get(parent)), ...change.texts };
    texts.set(sha, all);
    for (const [path, content] of Object.entries(all)) github.putFile(name, { sha, path, content });
    return sha;
  };
  const upload = async (sha: string, files: Files, fields: object): Promise<BuildJson> =>
    service.uploadAlone({
      ...job({ repo_token: made.token }),
      service_number: `run-${sha.slice(0, 12)}`,
      commit_sha: sha,
      git: undefined,
      source_files: Object.entries(files).map(([file, lines]) => sourceFile(file, [...lines])),
      ...fields,
    });
  const push: RulesRepo['push'] = async ({ branch = 'main', ...change }) => {
    const sha = commit(change, tips.get(branch) ?? tips.get('main'), branch);
    tips.set(branch, sha);
    return upload(sha, change.files, { git: { branch }, ...change.fields });
  };
  const main = await push(first);
  return {
    name,
    id: made.id,
    token: made.token,
    main,
    push,
    async pull({ number = 7, baseRef = 'main', base = tips.get(baseRef), fork = false, fields, ...change }) {
      const sha = commit(change, base, fork ? undefined : `change-${number}`);
      const changed = [...(change.changed ?? []), ...Object.keys(change.texts ?? {})].map((filename) => ({
        filename,
        status: 'modified' as const,
        additions: 1,
        deletions: 1,
        patch: '@@ -1 +1 @@\n-old\n+new',
      }));
      github.setComparedFiles(name, base ?? '', sha, changed);
      github.addPullRequest(name, {
        number,
        headSha: sha,
        headRef: `change-${number}`,
        baseRef,
        baseSha: base ?? '',
        mergeCommitSha: null,
        files: changed,
        ...(fork && { headRepo: 'eve/fork', login: 'eve' }),
      });
      const build = await upload(sha, change.files, { service_pull_request: String(number), ...fields });
      return build;
    },
    statuses: (sha) =>
      Object.fromEntries(
        [...github.lastStatuses(name, sha)].map(([context, one]) => [context, `${one.state}: ${one.description}`]),
      ),
    delivered: service.delivered,
    comment: (pull) => github.comments(name, pull).at(-1)?.body ?? '',
  };
}
