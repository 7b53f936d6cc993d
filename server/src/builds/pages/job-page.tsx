import type { VNode } from 'preact';
import { showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { mayAdminister } from '../../core/repo/caller.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { countOf, grouped } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { When } from '../../platform/web/when.tsx';
import { refOf, shortCommit, titleOf } from '../../wording/build-name.ts';
import type { ShownJob } from '../show-build.ts';
import { Meter } from './build/shown-numbers.tsx';
import { pullCrumb } from './build-head.tsx';

/** The page of one job: what an upload's answer links to. */
export const renderJobPage = (shown: ShownJob, page: PageContext): Iterable<string> => {
  const { links, now } = page;
  const { job, build, repo, caller } = shown;
  const name = `Job ${job.number}`;
  const crumbs = [
    ...pullCrumb(shown, links),
    { name: refOf(build), href: links.build(build.id) },
    { name, href: links.job(job.id) },
  ];
  const frame = {
    title: [name, titleOf(build, links.terms(repo)), printable(repo.name)].join(' · '),
    crumbs: repoCrumbs(repo, links, ...crumbs),
    tabs: repoTabs({ repo, current: 'Overview', commit: build.commit, maintains: mayAdminister(caller, repo) }, links),
  };
  return renderPage(page, frame, [
    <>
      <div class="eyebrow">
        {build.commit !== undefined && <span class="ref">{shortCommit(build.commit)}</span>}
        <span>
          arrived <When at={job.createdAt} now={now} />
        </span>
      </div>
      <h1>
        {name} of <a href={links.build(build.id)}>{titleOf(build, links.terms(repo))}</a>
      </h1>
    </>,
    <Numbers job={job} />,
    <Facts shown={shown} page={page} />,
    job.warnings.length > 0 && (
      <section id="warnings">
        <div class="head">
          <h2>Warnings</h2>
        </div>
        {job.warnings.map((sentence) => (
          <p class="note warn">{printable(sentence, 1_000)}</p>
        ))}
      </section>
    ),
  ]);
};

function Numbers({ job: { totals, files } }: Pick<ShownJob, 'job'>): VNode {
  const percent = totalPercent(totals);
  return (
    <section class="verdict" aria-label="Coverage">
      <div>
        {percent === undefined ? (
          <p class="total quiet">—</p>
        ) : (
          <p class="total">
            {showPercent(percent).slice(0, -1)}
            <span class="unit">%</span>
          </p>
        )}
        <Meter totals={totals} baseTotals={undefined} />
      </div>
      <dl class="facts">
        {[
          ['Lines', countOf(totals.coveredLines, totals.relevantLines)],
          ['Branches', countOf(totals.coveredBranches, totals.branches)],
          ['Files', grouped(files)],
        ].map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Facts({
  shown: { job, build },
  page: { now },
}: {
  readonly shown: ShownJob;
  readonly page: PageContext;
}): VNode {
  const { facts } = job;
  const pairs: readonly (readonly [name: string, value: VNode | string | undefined])[] = [
    ['Flag', facts.flag && <code>{printable(facts.flag)}</code>],
    ['CI', facts.serviceName === '' ? undefined : printable(facts.serviceName)],
    ['CI run', printable(build.number, 60)],
    ['CI job', facts.jobUrl ? link(facts.jobUrl) : facts.serviceJobId && printable(facts.serviceJobId)],
    ['Commit', facts.commit && <span class="ref">{printable(facts.commit)}</span>],
    ['Branch', facts.branch && <span class="ref">{printable(facts.branch)}</span>],
    ['Ran', facts.runAt === undefined ? undefined : <When at={facts.runAt} now={now} />],
    ['Received', <When at={job.createdAt} now={now} />],
  ];
  return (
    <section id="facts">
      <div class="head">
        <h2>From the upload</h2>
      </div>
      <dl class="pairs">
        {pairs
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
      </dl>
    </section>
  );
}

/** An upload's address; it was checked to be http(s) when it came (rule 26). */
function link(address: string): VNode {
  return (
    <a href={address} rel="nofollow noopener">
      {printable(address)}
    </a>
  );
}
