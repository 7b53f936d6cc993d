import { Refused, type RestServer, startRestServer } from '../rest-stand-in/rest-server.ts';

/** What Coveralls knows of a build. */
export interface CoverallsBuild {
  readonly sha: string;
  readonly at: string;
  readonly branch?: string;
  readonly percent: number;
  readonly message?: string;
  /** Its lines by file, as source.json answers them. */
  readonly files?: Readonly<Record<string, readonly (number | null)[]>>;
}

const PER_PAGE = 10;

/** Coveralls' web data: pages of ten builds, newest first, and the lines of a file of a build. */
export function startCoveralls(builds: readonly CoverallsBuild[]): Promise<RestServer> {
  return startRestServer({
    now: Date.now,
    answer(request) {
      const url = new URL(request.url ?? '/', 'http://coveralls.example');
      if (url.pathname === '/github/acme/shop.json') {
        const page = Number(url.searchParams.get('page') ?? 1);
        const some = builds.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(buildOf);
        const pages = Math.ceil(builds.length / PER_PAGE);
        return { status: 200, body: { page, pages, total: builds.length, builds: some } };
      }
      const [, sha] = /^\/builds\/([0-9a-f]{40})\/source\.json$/.exec(url.pathname) ?? [];
      const files = builds.find((build) => build.sha === sha)?.files;
      const lines = files?.[url.searchParams.get('filename') ?? ''];
      if (lines === undefined) throw new Refused(404, { error: 'Not found' });
      return { status: 200, body: lines };
    },
  });
}

function buildOf({ sha, at, branch = 'main', percent, message = 'Change' }: CoverallsBuild): object {
  return {
    created_at: at,
    url: null,
    commit_message: message,
    branch,
    committer_name: 'Mona',
    committer_email: 'mona@example.org',
    commit_sha: sha,
    repo_name: 'acme/shop',
    badge_url: 'http://coveralls.example/badge.svg',
    coverage_change: 0,
    covered_percent: percent,
  };
}
