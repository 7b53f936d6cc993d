import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { mayAdminister } from '../../core/repo/caller.ts';
import type { Frame } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { type Crumb, type RepoTab, repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import { refOf, shortCommit, titleOf } from '../../wording/build-name.ts';
import type { FoundBuild } from '../find-readable.ts';

/** How the address of a page names its build: by its commit, or by its id. */
export interface BuildRevision {
  readonly revision: string | number;
}

type Shown = FoundBuild & BuildRevision;

/** Around a page that belongs to a build: the way there leads over its pull request. */
export function buildFrame(
  shown: Shown & { readonly current: RepoTab; readonly title: string },
  page: PageContext,
): Frame {
  const { build, repo, caller, current, title } = shown;
  const { links } = page;
  return {
    title: `${title} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, ...pullCrumb(shown, links), {
      name: refOf(build),
      href: links.build(build.id),
    }),
    tabs: repoTabs({ repo, current, commit: build.commit, maintains: mayAdminister(caller, repo) }, links),
  };
}

/** For the pull request that a build is of. */
export function pullCrumb({ build, repo }: Pick<FoundBuild, 'build' | 'repo'>, links: SiteLinks): readonly Crumb[] {
  const { pullRequest } = build;
  return pullRequest === undefined
    ? []
    : [{ name: links.numberOf(repo, pullRequest), href: links.pull(repo, pullRequest) }];
}

/** Above the heading: which build this is of. */
export function buildEyebrow({ build, repo }: Shown, links: SiteLinks): VNode {
  const { commit, pullRequest } = build;
  return (
    <div class="eyebrow">
      {commit !== undefined && <span class="ref">{shortCommit(commit)}</span>}
      <a href={links.build(build.id)}>{titleOf(build, links.terms(repo))}</a>
      {pullRequest !== undefined && (
        <a class="n" href={links.pull(repo, pullRequest)}>
          {links.numberOf(repo, pullRequest)}
        </a>
      )}
    </div>
  );
}
