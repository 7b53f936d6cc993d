import type { VNode } from 'preact';
import type { RefusedUpload } from '../../core/builds/refused-upload.ts';
import type { FailureCode } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count, grouped } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { mapRows, type Part, rowParts } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { titleOf } from '../../wording/build-name.ts';
import { clientName } from '../../wording/client-name.ts';
import type { ShownUploads } from '../list-refused.ts';

/** The uploads of a repo that were refused, and those that were taken with warnings. */
export const renderUploadsPage = (listed: ShownUploads, page: PageContext): Iterable<string> => {
  const { repo, refused, newest } = listed;
  const own = refused.filter(({ unproven }) => unproven !== true);
  const frame = {
    title: `Uploads · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Uploads', href: page.links.ofRepo(repo, 'uploads') }),
    tabs: repoTabs(
      { repo, current: 'Uploads', commit: newest?.commit, maintains: true, refusedUploads: own.length },
      page.links,
    ),
  };
  return renderPage(page, frame, mainParts(listed, page));
};

function* mainParts({ repo, refused, warned }: ShownUploads, page: PageContext): Generator<Part> {
  yield (
    <div class="head">
      <h1>Rejected uploads</h1>
      <span class="quiet">{refused.length === 0 ? 'none' : grouped(refused.length)} in 14 days</span>
    </div>
  );
  if (refused.length === 0)
    yield (
      <section class="tight">
        <p class="empty">
          In the last 14 days every upload was accepted. A rejected one is listed here, with what to do.
        </p>
      </section>
    );
  else {
    const articles = mapRows(refused, (one) => <Refused refused={one} page={page} />);
    yield* rowParts('<section class="tight">', articles, '</section>');
  }
  yield (
    <p class="quiet small after">
      A rejected upload is listed for 14 days; nothing else about it is kept. An upload with an unknown token is listed
      if it names the repo; its client got the reason. If the token was replaced, copy the new one from{' '}
      <a href={page.links.ofRepo(repo, 'settings/tokens')}>Settings</a>.
    </p>
  );
  if (warned.length > 0) yield* warnedParts({ repo, warned }, page);
}

/** One build for each article: its jobs' warnings are known together. */
function* warnedParts({ repo, warned }: Pick<ShownUploads, 'repo' | 'warned'>, page: PageContext): Generator<Part> {
  yield (
    <div class="head after2">
      <h2>
        Accepted with warnings
        <Count of={warned.length} />
      </h2>
      <span class="quiet small">they count, but have problems</span>
    </div>
  );
  const articles = mapRows(warned, (build) => (
    <article class="refused">
      <div class="small">
        <p>
          <When at={build.createdAt} now={page.now} />
        </p>
      </div>
      <div>
        <h3>
          <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>
        </h3>
        {(build.jobWarnings ?? []).map(({ job, sentence }) => (
          <p>
            <a href={`${page.links.build(build.id)}#jobs`}>Job {job}</a>: {printable(sentence, 600)}
          </p>
        ))}
      </div>
    </article>
  ));
  yield* rowParts('<section class="tight">', articles, '</section>');
}

/** What happened, and what the person who set the client up can do. */
const TOLD: Readonly<Partial<Record<FailureCode, readonly [heading: string, remedy: string]>>> = {
  'payload-invalid': [
    'Unreadable upload',
    'Fix the step that writes the report, or update the client. Then re-run the job.',
  ],
  'payload-too-large': [
    'Upload too large',
    'Exclude generated files, or upload in several jobs. An administrator can raise the limit.',
  ],
  'repo-token-unknown': ['Wrong token', 'Save this repo’s token as the CI secret, then re-run the job.'],
  'over-limit': [
    'Too many uploads',
    'Upload fewer jobs at once, or close builds that stay open. An administrator can raise the limit.',
  ],
  forbidden: ['Token without permission', 'Use the token of this repo.'],
  conflict: ['Conflicting job', 'Give each job of a run its own id or flag.'],
};
const UNPROVEN = [
  'Upload without a token',
  'If it was one of your clients, put the repo’s token into the secret that it reads. ' +
    'Anybody can name this repo, so it may not be one of yours.',
] as const;
const OTHER = ['Rejected upload', 'Fix the problem, then re-run the job.'] as const;

function Refused({ refused, page }: { readonly refused: RefusedUpload; readonly page: PageContext }): VNode {
  const { code, sentence, field, client, firstAt, lastAt, count, unproven } = refused;
  const [heading, remedy] = unproven ? UNPROVEN : (TOLD[code] ?? OTHER);
  return (
    <article class="refused">
      <div class="small">
        <p>
          <When at={lastAt} now={page.now} />
        </p>
        {client !== undefined && (
          <p class="quiet" title={printable(client, 200)}>
            {clientName(client)}
          </p>
        )}
        {count > 1 && (
          <p class="quiet">
            {grouped(count)} times, first <When at={firstAt} now={page.now} />
          </p>
        )}
      </div>
      <div>
        <h2>
          <Icon name="fail" label="Rejected:" /> {heading} <span class="tag n">{code}</span>{' '}
          {unproven && <span class="tag warn">not proven to be from this repo</span>}
        </h2>
        <p>
          <span class="quiet">Seen:</span> {printable(sentence, 600)}
        </p>
        {field !== undefined && !sentence.startsWith(field) && (
          <p>
            <span class="quiet">Where:</span> <code>{printable(field, 100)}</code>
          </p>
        )}
        <p class="fix">
          <b>What to do.</b> {remedy}
        </p>
      </div>
    </article>
  );
}
