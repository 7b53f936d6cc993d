import { Failure, quoteValue } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { type Fetch, findNotSent } from '../../platform/outgoing.ts';
import { type Fields, splitFields } from './wanted-settings.ts';

/** The repos of a server, over its public API. A call that the server refuses for one repo throws a Refusal. */
export interface ReposApi {
  /** The repos that the token may see, by keyOf, with those settings that their own addresses take. */
  list(): Promise<ReadonlyMap<string, RepoAddress & Fields>>;
  /** The other settings of a repo. */
  read(repo: RepoAddress): Promise<Fields>;
  /** Makes a repo with those settings that its own address takes; answers its token. */
  create(repo: RepoAddress, settings: Fields): Promise<string>;
  change(repo: RepoAddress, settings: Fields): Promise<void>;
  /** Makes or repairs the webhook at the repo's git host; answers what was done. */
  setWebhook(repo: RepoAddress): Promise<string>;
}

/** What the server says against one repo; the others may fare better. */
export class Refusal extends Error {}

const TIME_LIMIT = 30_000;

/** Names are compared without regard to case. */
export function keyOf({ service, name }: RepoAddress): string {
  return `${service}/${name.toLowerCase()}`;
}

/**
 * Speaks with the server at `server` as the holder of a personal token. Throws a Failure if no call can succeed:
 * `unavailable`, or `credential-unknown`.
 */
export function createReposApi(deps: {
  readonly server: string;
  readonly token: string;
  readonly fetch: Fetch;
}): ReposApi {
  const { server, token, fetch } = deps;
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const init = { method, headers, signal, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) } as const;
    const answer = await fetch(`${server}/api/v1/repos${path}`, init).catch((cause: unknown) => {
      throw new Failure('unavailable', `${server} cannot be reached: ${reasonOf(cause)}.`, { cause });
    });
    return readAnswer(answer, server);
  };
  const pathOf = ({ service, name }: RepoAddress): string => `/${service}/${name}`;
  return {
    async list() {
      const found = new Map<string, RepoAddress & Fields>();
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { json } = await call('GET', `?per_page=100&page=${page}`);
        if (!Array.isArray(json.repos)) throw new Failure('unavailable', noCoverageServer(server));
        for (const repo of json.repos as readonly (RepoAddress & Fields)[]) found.set(keyOf(repo), repo);
        pages = Number(json.pages);
      }
      return found;
    },
    read: async (repo) => expect(await call('GET', `${pathOf(repo)}/settings`)),
    async create({ service, name }, settings) {
      const { repo } = expect(await call('POST', '', { repo: { service, name, ...splitFields(settings).ofRepo } }));
      return String((repo as Fields).token);
    },
    async change(repo, settings) {
      const { ofRepo, others } = splitFields(settings);
      if (Object.keys(ofRepo).length > 0) expect(await call('PUT', pathOf(repo), { repo: ofRepo }));
      if (Object.keys(others).length > 0) expect(await call('PUT', `${pathOf(repo)}/settings`, others));
    },
    async setWebhook(repo) {
      const { webhook } = expect(await call('POST', `${pathOf(repo)}/webhook`));
      return String((webhook as Fields).result);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly json: Fields;
}

async function readAnswer(answer: Response, server: string): Promise<Answer> {
  const { status } = answer;
  const json = (await answer.json().catch(() => undefined)) as Fields | undefined;
  if (status >= 300 && status < 400) {
    const target = quoteValue(answer.headers.get('location') ?? '', 200);
    throw new Failure('unavailable', `${server} redirects to ${target}; give the final address.`);
  }
  if (json === undefined || typeof json !== 'object') throw new Failure('unavailable', noCoverageServer(server));
  if (status === 401) throw new Failure('credential-unknown', `${server} does not know COVERAGE_TOKEN: ${said(json)}`);
  return { status, json };
}

function expect({ status, json }: Answer): Fields {
  if (status < 200 || status > 299) throw new Refusal(`${status}: ${said(json)}`);
  return json;
}

function said({ message }: Fields): string {
  return typeof message === 'string' ? message : 'it does not say why.';
}

function reasonOf(error: unknown): string {
  const notSent = findNotSent(error);
  if (notSent !== undefined) return notSent.message;
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function noCoverageServer(server: string): string {
  return `${server} does not respond like a coverage server; give its BASE_URL, with its path if it has one.`;
}
