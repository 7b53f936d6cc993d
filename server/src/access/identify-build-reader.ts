import type { Build } from '../core/builds/build.ts';
import { isOfRun } from '../core/builds/vouched-run.ts';
import { Failure } from '../core/failure.ts';
import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { GitHosts } from '../core/repo/git-host.ts';
import type { RepoStore } from '../storage/store.ts';
import { tokenOfAuthorization } from './authorization-header.ts';
import type { Credentials } from './identify-caller.ts';
import type { IdentifyUploader } from './uploaders/identify-uploader.ts';
import type { VerifyIdToken } from './uploaders/verify-id-token.ts';

export interface IdentifyBuildReaderDeps {
  readonly identifyReader: (credentials: Credentials) => Promise<Caller>;
  readonly identifyUploader: IdentifyUploader;
  readonly verifyIdToken: Pick<VerifyIdToken, 'isOne'>;
  readonly hosts: GitHosts;
  readonly repos: Pick<RepoStore, 'find'>;
  /** The build that is meant, by its own id or a job's; undefined: there is none. */
  readonly findBuild: (id: number) => Promise<Build | undefined>;
}

export type IdentifyBuildReader = (asking: BuildAsking, reference: string) => Promise<Caller>;

export interface BuildAsking extends Credentials {
  /** The network that asks. */
  readonly address: string;
}

/**
 * Who reads a build: every reader, and the holder of a host's token that could have uploaded to it. To
 * everybody else such a token says nothing, whether the build is here or not.
 */
export function createIdentifyBuildReader(deps: IdentifyBuildReaderDeps): IdentifyBuildReader {
  const { identifyReader, verifyIdToken, hosts, repos, findBuild } = deps;
  return async (credentials, reference) => {
    const token = tokenOfAuthorization(credentials.authorization ?? '');
    const isOfHost =
      token !== undefined &&
      (verifyIdToken.isOne(token) || hosts.all.some(({ tokens }) => tokens.kindOf(token) !== undefined));
    const build = isOfHost && /^\d{1,15}$/.test(reference) ? await findBuild(Number(reference)) : undefined;
    const repo = build && (await repos.find(build.repoId));
    if (token === undefined || build === undefined || repo === undefined) return identifyReader(credentials);
    const stranger = { kind: 'anonymous' } as const;
    if (mayRead(stranger, repo)) return stranger;
    if (await couldUpload(deps, { token, build, repoName: repo.name, address: credentials.address }))
      return { kind: 'repo', repoId: repo.id };
    return identifyReader(credentials);
  };
}

interface Upload {
  readonly token: string;
  readonly build: Build;
  readonly repoName: string;
  readonly address: string;
}

async function couldUpload(
  { identifyUploader }: IdentifyBuildReaderDeps,
  { token, build, repoName, address }: Upload,
): Promise<boolean> {
  const runs = [build.vouchedRun?.id, build.serviceNumber];
  try {
    const { repo, run } = await identifyUploader({ token, repoName, address, runs, commits: undefined });
    return repo.id === build.repoId && (run === undefined || isOfRun(build, run, { byJobId: true }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Nor does it tell whether the build is here that its address sent too many.
    if (error.code === 'repo-token-unknown' || error.code === 'over-limit') return false;
    if (error.code !== 'unavailable') throw error;
    // Its own sentence names the repo.
    throw new Failure('unavailable', 'The token could not be checked just now. Try again later.', { cause: error });
  }
}
