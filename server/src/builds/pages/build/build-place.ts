import type { BuildSummary } from '../../../core/builds/build-summary.ts';
import type { Repo } from '../../../core/repo/repo.ts';
import type { Timestamp } from '../../../core/time.ts';
import type { PageContext } from '../../../platform/web/page-context.ts';
import type { SiteLinks } from '../../../platform/web/site-links.ts';

/** Where the parts of a build's page stand, and where they lead to. */
export interface BuildPlace {
  readonly build: Pick<BuildSummary, 'id' | 'number' | 'commit'>;
  readonly repo: Pick<Repo, 'service' | 'name'>;
  readonly links: SiteLinks;
  readonly now: Timestamp;
  /** The page of one of its files. */
  file(name: string, line?: number | string): string;
  /** The page of all of them. */
  readonly files: string;
}

interface PlaceOf {
  readonly build: Pick<BuildSummary, 'id' | 'number' | 'commit'>;
  readonly repo: Pick<Repo, 'service' | 'name'>;
  /** A commit's address leads to the build that owns its contexts, which this one is not then. */
  readonly supersededBy: object | undefined;
}

export function placeOf({ build, repo, supersededBy }: PlaceOf, { links, now }: PageContext): BuildPlace {
  const commit = supersededBy === undefined ? build.commit : undefined;
  return {
    build,
    repo,
    links,
    now,
    file: (name, line) => (commit === undefined ? links.source(build.id, name) : links.file(repo, commit, name, line)),
    files: commit === undefined ? links.sourceFiles(build.id) : links.tree(repo, commit),
  };
}

/** Where a check of the build is shown: its lines, or what else it is about. */
export function placeOfCheck({ build, repo, links }: Pick<BuildPlace, 'build' | 'repo' | 'links'>, id: string): string {
  if (id === 'file') return links.ofRepo(repo, 'rules', { build: build.id });
  return links.check(build.id, id, id === 'elsewhere' ? 'elsewhere' : 'cover');
}
