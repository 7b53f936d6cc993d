import { REPO_SERVICES } from '../../../server/src/core/repo/repo.ts';
import { job, type Reply } from '../coverage-api.ts';

/** What requests are about: a repo with a closed build of one job. */
export interface Target {
  readonly service: string;
  readonly name: string;
  /** Ids; empty in a repo without a build. */
  readonly build: string;
  readonly job: string;
  readonly token: string;
  readonly badge: string;
}

/** For every build. */
export const PULL_REQUEST = '7';

export type Visibility = 'private' | 'public';

interface WantedTarget {
  readonly service: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly hasBuild: boolean;
}

export interface TargetDeps {
  readonly send: <T>(path: string, init?: RequestInit) => Promise<Reply<T>>;
  /** An administrator's token; its user owns the repos. */
  readonly maker: string;
  /** The service at which builds are. */
  readonly host: string;
  /** The run and commit that every job states. */
  readonly run: string;
  readonly commit: string;
}

/** Makes repos as callers of the API do. */
export function createTargets(deps: TargetDeps) {
  const { send, maker, host, run, commit } = deps;
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `token ${maker}`, 'content-type': 'application/json' };
    const reply = await send<T>(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
    return reply.json;
  };
  const upload = async (token: string): Promise<Pick<Target, 'build' | 'job'>> => {
    const about = { commit_sha: commit, service_number: run, service_pull_request: PULL_REQUEST };
    const text = { ...job({ repo_token: token, ...about }), parallel: true };
    const { url } = await call<{ url: string }>('POST', '/api/v1/jobs', text);
    const id = url.slice(url.lastIndexOf('/') + 1);
    await call('POST', '/webhook', { repo_token: token, payload: { build_num: run, status: 'done' } });
    return { job: id, build: (await call<{ build: string }>('GET', `/jobs/${id}.json`)).build };
  };
  const make = async ({ service, name, visibility, hasBuild }: WantedTarget): Promise<Target> => {
    const { repo } = await call<{ repo: { token: string } }>('POST', '/api/v1/repos', { repo: { service, name } });
    const path = `/api/v1/repos/${service}/${name}`;
    if (visibility === 'public') await call('PUT', `${path}/settings`, { visibility });
    const { badge_token: badge } = await call<{ badge_token: string }>('GET', path);
    const made = hasBuild ? await upload(repo.token) : { build: '', job: '' };
    return { service, name, token: repo.token, badge, ...made };
  };
  return {
    make,
    fresh: keepFresh(make),
    /** The same names at every service; builds are at the host alone. */
    async makeAll(): Promise<Readonly<Record<Visibility, readonly Target[]>>> {
      const all = async (name: string, visibility: Visibility) => {
        const made: Target[] = [];
        for (const service of REPO_SERVICES)
          made.push(await make({ service, name, visibility, hasBuild: service === host }));
        return made;
      };
      return { private: await all('acme/closed', 'private'), public: await all('acme/open', 'public') };
    },
    /** A token that was its repo's until now; answers the repo with the new one. */
    async replaceToken(target: Target): Promise<{ readonly old: string; readonly target: Target }> {
      const made = await call<{ token: string }>('POST', `/api/v1/repos/${target.service}/${target.name}/token`, {});
      return { old: target.token, target: { ...target, token: made.token } };
    },
  };
}

function keepFresh(make: (wanted: WantedTarget) => Promise<Target>) {
  const kept = new Map<string, Target>();
  let count = 0;
  return {
    async freshOf(wanted: Pick<WantedTarget, 'visibility' | 'hasBuild'>): Promise<Target> {
      const key = JSON.stringify(wanted);
      count += 1;
      const target = kept.get(key) ?? (await make({ ...wanted, service: 'manual', name: `acme/fresh-${count}` }));
      kept.set(key, target);
      return target;
    },
    forgetFresh: () => kept.clear(),
  };
}
