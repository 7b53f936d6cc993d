import { RecentMap } from '../../core/recent-map.ts';
import type { RunClaims } from '../../core/repo/run-claims.ts';
import type { ClaimsAsking, HostIdTokens, ReadClaims } from '../../ports/host.ts';
import type { RunFacts } from '../../ports/provider-facts.ts';
import { uuidOf } from './questions.ts';

/** Each workspace is an issuer of its own. */
const OF_WORKSPACE = '/pipelines-config/identity/oidc';
/** A pipeline's steps have a token each: of one pipeline Bitbucket is asked once in this time, in ms. */
const REMEMBERED = { max: 1_000, lasts: 60_000 };

/**
 * ID tokens of Bitbucket Pipelines ("Integrate Pipelines with resource servers using OIDC"). They name the pipeline,
 * and neither its commit nor its pull request: Bitbucket is asked for those.
 */
export function bitbucketIdTokens({
  api,
  isReadable = false,
  now,
}: {
  readonly api: string;
  readonly isReadable?: boolean | undefined;
  readonly now: () => number;
}): HostIdTokens {
  const root = `${api}/workspaces/`;
  const known = new RecentMap<RunClaims>({ ...REMEMBERED, now });
  return {
    issuers: isReadable ? [] : [`${root}*${OF_WORKSPACE}`],
    async readClaims(claims, asking) {
      const [repo, pipeline] = [uuidOf(claims.repositoryUuid), uuidOf(claims.pipelineUuid)];
      if (repo === undefined) return { wrong: 'repositoryUuid' };
      if (pipeline === undefined) return { wrong: 'pipelineUuid' };
      const workspace = decodeURIComponent(asking.issuer.slice(root.length, -OF_WORKSPACE.length));
      const key = JSON.stringify([workspace, claims.workspaceUuid, repo, pipeline]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const read = await askPipeline({ repo, pipeline, workspace, workspaceId: claims.workspaceUuid }, asking);
      if ('run' in read) known.set(key, read);
      return read;
    },
  };
}

interface Named {
  readonly repo: string;
  readonly pipeline: string;
  readonly workspace: string;
  readonly workspaceId: unknown;
}

async function askPipeline(named: Named, { provider, nameOf }: ClaimsAsking): Promise<ReadClaims> {
  const { repo: id, pipeline } = named;
  if (provider === undefined)
    return {
      found: 'A Bitbucket ID token does not say which commit its pipeline tests, and this server cannot ask it.',
      remedy: "Have the operator set BITBUCKET_TOKEN, or use the repo's own token.",
    };
  const stored = await nameOf(id);
  // A repo that was moved or renamed is asked for by its id.
  const name = isOfWorkspace(stored, named)
    ? stored
    : (await provider.describeRepoById({ id, name: stored ?? id }))?.name;
  if (name === undefined || !isOfWorkspace(name, named)) return { wrong: 'repositoryUuid' };
  const run = await provider.readRun({ repo: name, run: pipeline });
  if (run === undefined || run.repoId !== id)
    return {
      found: `Bitbucket does not show this server a pipeline ${pipeline} in ${name}.`,
      remedy: "Have the operator give its token the scope `pipeline`, or use the repo's own token.",
    };
  if (run.ended)
    return {
      found: `The pipeline ${pipeline} has ended, so this does not come from it.`,
      remedy: "Send it from a step of the pipeline, or use the repo's own token.",
    };
  return claimsOf(run, { id, name });
}

/** An issuer speaks for the repos of its workspace alone, whether it is named by its slug or by its id. */
function isOfWorkspace(name: string | undefined, { workspace, workspaceId }: Named): name is string {
  if (name === undefined) return false;
  const isId = /^\{?[0-9a-f-]{36}\}?$/i.test(workspace);
  const wanted = isId ? `{${workspace.replaceAll(/[{}]/g, '')}}` : workspace;
  return isId ? wanted === workspaceId : name.split('/')[0]?.toLowerCase() === wanted.toLowerCase();
}

function claimsOf(run: RunFacts, repo: RunClaims['repo']): RunClaims {
  const [pullRequest] = run.pullRequests;
  return {
    repo,
    run: run.id,
    number: run.number,
    attempt: run.attempt,
    commit: run.headCommit.toLowerCase(),
    ref: run.ref ?? '',
    headBranch: pullRequest === undefined ? undefined : run.headBranch,
    event: run.event,
    pullRequest,
    actor: run.actor,
    wasAsked: true,
  };
}
