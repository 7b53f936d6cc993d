import type { Build } from '../core/builds/build.ts';
import { isOfRun } from '../core/builds/run-origin.ts';
import { Failure } from '../core/failure.ts';
import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { tokenOfAuthorization } from './authorization-header.ts';
import { type Credentials, identifyReader } from './identify-caller.ts';
import { identifyUploader } from './uploaders/identify-uploader.ts';
import type { UploaderServices } from './uploaders/uploader-services.ts';
import { isIdToken } from './uploaders/verify-id-token.ts';

/** The build that somebody wants to read, and its repo as readers see it. */
export interface MeantBuild {
  readonly build: Build;
  readonly repo: Repo;
}

export interface BuildAsking extends Credentials {
  /** The network that asks. */
  readonly address: string;
}

/**
 * Who reads a build: every reader, and the holder of a host's token that could have uploaded to it. To
 * everybody else such a token says nothing, whether the build is here or not.
 */
export async function identifyBuildReader(
  services: UploaderServices,
  credentials: BuildAsking,
  find: () => Promise<MeantBuild | undefined>,
): Promise<Caller> {
  const { hosts } = services;
  const token = tokenOfAuthorization(credentials.authorization ?? '');
  const isOfHost =
    token !== undefined &&
    (isIdToken(services, token) || hosts.all.some(({ tokens }) => tokens.kindOf(token) !== undefined));
  const meant = isOfHost ? await find() : undefined;
  if (token === undefined || meant === undefined) return identifyReader(services, credentials);
  const { build, repo } = meant;
  const stranger = { kind: 'anonymous' } as const;
  if (mayRead(stranger, repo)) return stranger;
  if (await couldUpload(services, { token, build, repoName: repo.name, address: credentials.address }))
    return { kind: 'repo', repoId: repo.id };
  return identifyReader(services, credentials);
}

interface Upload {
  readonly token: string;
  readonly build: Build;
  readonly repoName: string;
  readonly address: string;
}

async function couldUpload(services: UploaderServices, { token, build, repoName, address }: Upload): Promise<boolean> {
  const runs = [build.vouchedRun?.id, build.serviceNumber];
  try {
    const { repo, run } = await identifyUploader(services, { token, repoName, address, runs, commits: undefined });
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
