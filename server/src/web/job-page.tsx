import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { printable } from '../domain/printable.ts';
import type { ShownJob } from '../use-cases/builds/show-build.ts';
import { renderPage } from './layout.tsx';
import { FactList, PageHeader, rateFacts, WarningList } from './page-parts.tsx';
import type { SiteLinks } from './site-links.ts';

export type RenderJobPage = (shown: ShownJob, links: SiteLinks) => Iterable<string>;

/** The page of one job: what an upload's answer links to. */
export const renderJobPage: RenderJobPage = (shown, links) => {
  const { job, build, repo } = shown;
  const { facts } = job;
  const name = `${printable(build.number, 60)}.${job.number}`;
  return renderPage(`${printable(repo.name)} · job ${name}`, <PageHeader repo={repo} links={links} />, [
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
