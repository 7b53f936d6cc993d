import type { BuildJson } from '@coverage/shared';
import { type CoverageApi, coverageApi } from '../coverage-api.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { REPOS } from './plan-repos.ts';

/** A file of a build's merged report. */
export interface ReportedFile {
  readonly name: string;
  readonly relevant_line_count: number;
  readonly covered_line_count: number;
}

/** A build as the API shows it. */
export interface SeenBuild {
  readonly repo: string;
  /** How many builds of the repo are older: its place in the repo's `sequence`. */
  readonly age: number;
  readonly json: BuildJson;
  readonly files: readonly ReportedFile[];
  /** What it was planned as; undefined: it should not exist. */
  readonly planned: PlannedBuild | undefined;
}

const PER_PAGE = 100;
/** How many builds of a repo are read at once. */
const AT_ONCE = 8;

/** Everything that the API says in the end, asked of one instance. */
export async function readOutcome(
  server: { readonly url: string; readonly adminToken: string },
  service: string,
  planned: readonly PlannedBuild[],
): Promise<readonly SeenBuild[]> {
  const api = coverageApi(server.url, server.adminToken);
  const lists = await Promise.all(
    REPOS.map(({ name }) => {
      const own = planned.filter(({ repo }) => repo.name === name);
      return readRepo(api, server.adminToken, { service, name }, own);
    }),
  );
  return lists.flat();
}

async function readRepo(
  api: CoverageApi,
  token: string,
  { service, name: repo }: { readonly service: string; readonly name: string },
  planned: readonly PlannedBuild[],
): Promise<readonly SeenBuild[]> {
  const headers = { authorization: `token ${token}` };
  const builds = await listBuilds(api, `${service}/${repo}`, headers);
  const seen: SeenBuild[] = [];
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let index = next++; index < builds.length; index = next++) {
      const { id = '' } = builds[index] ?? {};
      const json = await read<BuildJson>(api, `/builds/${id}.json`, headers);
      const files = json.closed_at === null ? [] : await readFiles(api, id, headers);
      const build = planned.find((one) => isSame(one, json));
      seen.push({ repo, age: builds.length - 1 - index, json, files, planned: build });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return seen;
}

/** Newest first. */
async function listBuilds(
  api: CoverageApi,
  repo: string,
  headers: Record<string, string>,
): Promise<readonly BuildJson[]> {
  const all: BuildJson[] = [];
  for (let page = 1; ; page++) {
    const path = `/${repo}.json?page=${page}&per_page=${PER_PAGE}`;
    const { builds } = await read<{ builds: BuildJson[] }>(api, path, headers);
    all.push(...builds);
    if (builds.length < PER_PAGE) return all;
  }
}

async function readFiles(
  api: CoverageApi,
  id: string,
  headers: Record<string, string>,
): Promise<readonly ReportedFile[]> {
  const path = `/builds/${id}/source_files.json?per_page=2000`;
  return JSON.parse((await read<{ source_files: string }>(api, path, headers)).source_files) as ReportedFile[];
}

async function read<T>(api: CoverageApi, path: string, headers: Record<string, string>): Promise<T> {
  const { status, text } = await api.send(path, { headers, signal: AbortSignal.timeout(30_000) });
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

function isSame(build: PlannedBuild, json: BuildJson): boolean {
  return (
    (build.number ?? null) === json.service_number &&
    [build.commit, build.target].some((commit) => commit === json.commit_sha) &&
    (build.pullRequest ?? null) === json.pull_request
  );
}
