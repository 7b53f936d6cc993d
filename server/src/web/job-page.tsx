import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ShownJob } from '../use-cases/builds/show-build.ts';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { FactList, rateFacts, WarningList } from './page-parts.tsx';
import { repoCrumbs, repoTabs } from './page-top.tsx';

export type RenderJobPage = (shown: ShownJob, page: PageContext) => Iterable<string>;

/** The page of one job: what an upload's answer links to. */
export const renderJobPage: RenderJobPage = (shown, page) => {
  const { links } = page;
  const { job, build, repo } = shown;
  const { facts } = job;
  const name = `${printable(build.number, 60)}.${job.number}`;
  const frame = {
    title: `Job ${name} · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, links, { name: printable(build.number, 60), href: links.build(build.id) }, { name }),
    tabs: repoTabs({ repo, current: undefined }, links),
  };
  return renderPage(page, frame, [
    <>
      <h1>Job {name}</h1>
      <p>
        <span class="total">{showPercent(totalPercent(job.totals))}</span>
      </p>
      <FactList
        facts={[
          ...rateFacts(job.totals),
          ['Files', String(job.files)],
          ['Build', <a href={links.build(build.id)}>{printable(build.number, 60)}</a>],
          ['Flag', facts.flag && <code>{printable(facts.flag)}</code>],
          ['Service', facts.serviceName === '' ? undefined : printable(facts.serviceName)],
          ['CI job', facts.jobUrl ? link(facts.jobUrl) : facts.serviceJobId && printable(facts.serviceJobId)],
          ['Commit', facts.commit && <code>{printable(facts.commit)}</code>],
          ['Branch', facts.branch && <code>{printable(facts.branch)}</code>],
          ['Ran', facts.runAt === undefined ? undefined : new Date(facts.runAt).toISOString()],
          ['Arrived', new Date(job.createdAt).toISOString()],
        ]}
      />
      <WarningList sentences={job.warnings} />
    </>,
  ]);
};

/** An upload's address; it was checked to be http(s) when it came (rule 26). */
function link(address: string) {
  return (
    <a href={address} rel="nofollow noopener">
      {printable(address)}
    </a>
  );
}
