import type { ComponentChildren, VNode } from 'preact';
import { VerdictMark } from '../../builds/pages/build-words.tsx';
import { printable } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { capitalize, counted } from '../../wording/phrases.ts';
import type { SetupChecks, SetupEvidence } from '../check-setup.ts';
import { TOKEN_LOST } from '../read-repo.ts';
import type { RepoOverview } from '../show-repo.ts';
import { Sending } from './settings-fields.tsx';
import { ClientList, COMMAND_SNIPPETS, Sentence, Snippet } from './snippets.tsx';

/** The set-up of a repo. `root`: BASE_URL. */
export interface ShownSetup {
  readonly overview: RepoOverview;
  /** For somebody who may administer the repo. */
  readonly checks: SetupChecks | undefined;
  /** For all builds that it has. */
  readonly builds: number;
  readonly root: string;
}

/** The page of a repo's set-up, also when it has builds. */
export const renderSetupPage = (shown: ShownSetup, page: PageContext): Iterable<string> => {
  const { repo, maintains, newest, refused: refusedUploads } = shown.overview;
  const frame = {
    title: `Set up ${printable(repo.name)}`,
    follows: true,
    crumbs: repoCrumbs(repo, page.links, { name: 'Set-up', href: page.links.ofRepo(repo, 'set-up') }),
    tabs: repoTabs({ repo, current: undefined, commit: newest?.commit, maintains, refusedUploads }, page.links),
  };
  return renderPage(page, frame, setupParts(shown, page));
};

/** What the page of a repo shows before the first upload. */
export function* setupParts(shown: ShownSetup, page: PageContext): Generator<Part> {
  const { overview, root } = shown;
  const { repo, token, idTokens } = overview;
  yield (
    <>
      <h1>Set up {printable(repo.name)}</h1>
      <p class="quiet lede">
        About five minutes. Nothing is installed on your runners.
        {shown.checks !== undefined && ' A step has a check mark once this server has seen that it works.'}
      </p>
    </>
  );
  yield (
    <section class="two setup">
      <Steps shown={shown} page={page} />
      <Waiting shown={shown} page={page} />
    </section>
  );
  yield <OtherClients idTokens={idTokens !== undefined} token={token} root={root} />;
}

function Waiting({ shown, page }: { readonly shown: ShownSetup; readonly page: PageContext }): VNode {
  const { overview, builds, root } = shown;
  const { repo, maintains, idTokens, snippets } = overview;
  return (
    <div class="stack">
      <div class="note" data-poll={page.links.buildList(repo, { page: 1, per_page: 1 })} data-mark={builds}>
        {builds === 0 ? (
          <p>
            <VerdictMark of={{ state: 'open' }} words="Waiting for the first upload" />
          </p>
        ) : (
          <p>
            <a href={page.links.repo(repo)}>{counted(builds, 'build')}</a>
          </p>
        )}
        <p class="quiet small">This page updates itself as soon as a job arrives.</p>
      </div>
      <h2>Nothing arrives?</h2>
      <ul class="dots small">
        {maintains && (
          <li>
            A rejected upload is listed under <a href={page.links.ofRepo(repo, 'uploads')}>Uploads</a>, with what to
            change.
          </li>
        )}
        <li>
          The step’s log has the URL that it used. It should be <code>{root}</code>.
        </li>
        {idTokens !== undefined && (
          <li>
            This server has to reach {idTokens.host} over https. If it cannot, give the {snippets?.called} the repo’s
            token.
          </li>
        )}
        {overview.provesForks && (
          <li>
            {capitalize(page.links.terms(repo).pullRequest)}s from forks get no secrets. Their runs are accepted as
            unverified if the repo’s settings allow it, as they do by default for a public repo.
          </li>
        )}
      </ul>
    </div>
  );
}

function OtherClients(props: {
  readonly idTokens: boolean;
  readonly token: string | undefined;
  readonly root: string;
}): VNode {
  const { idTokens, token, root } = props;
  return (
    <section id="clients" class="stack">
      <h2>Another client, or another CI</h2>
      <p class="small quiet">
        Every client of the Coveralls API works. Give it the repo’s token as <code>COVERALLS_REPO_TOKEN</code>
        {idTokens && token === undefined && ', which its maintainers see here'}, and the URL as shown here:
      </p>
      {idTokens && token !== undefined && <p class="secret all">{token}</p>}
      <ClientList root={root} />
      <p class="small">
        Several jobs make one build: give each <code>COVERALLS_PARALLEL=true</code>, and close it at the end.
      </p>
      <Snippet
        text={`curl ${root}/webhook -H "Authorization: Bearer $COVERALLS_REPO_TOKEN" -d "payload[build_num]=$NUMBER"`}
      />
    </section>
  );
}

function Steps({ shown, page }: { readonly shown: ShownSetup; readonly page: PageContext }): VNode {
  const { overview, checks, root } = shown;
  const { repo, idTokens, snippets = COMMAND_SNIPPETS } = overview;
  const branch = printable(repo.settings.defaultBranch ?? repo.seen?.defaultBranch ?? 'main', 100);
  return (
    <ol class="steps">
      {checks?.access && (
        <Step title="Let this server post to the repo" seen={checks.access}>
          <p>
            It reads the repo and its {page.links.terms(repo).pullRequest}s, and sets statuses and a comment.{' '}
            <a href={page.links.docs('hosts')}>What it needs</a>
          </p>
        </Step>
      )}
      {checks?.webhook && (
        <Step title="Add a webhook" seen={checks.webhook}>
          <p>With a webhook, builds close on time. This server adds it if its token may administer the repo.</p>
          {checks.makesWebhook && checks.webhook.state !== 'ok' && (
            <Sending repo={repo} page={page} what="webhook" class="row">
              <input type="hidden" name="from" value="set-up" />
              <button type="submit">Add the webhook</button>
            </Sending>
          )}
        </Step>
      )}
      {idTokens === undefined && <SecretStep name={snippets.secret} shown={overview} />}
      <Step title={`Paste this ${snippets.called}`}>
        <p>
          <Sentence text={snippets.place} />
          {idTokens !== undefined && ` ${idTokens.host} confirms its runs, so no secret is needed.`}
        </p>
        <Snippet text={snippets.whole({ root, byIdToken: idTokens !== undefined }, branch)} />
        <p class="quiet small">
          Reports are found by their usual names and told apart by content. <Sentence text={snippets.several} />
        </p>
      </Step>
      <Step title="Push" seen={checks?.upload}>
        <p>
          The first build has nothing to be compared with, so it passes unless a minimum is set. From the second on,
          every change is judged.
        </p>
      </Step>
      {checks?.status && <Step title="Look at the commit" seen={checks.status} />}
      {snippets.required !== undefined && (
        <Step title="Require the status" seen={checks?.required}>
          <p>
            <Sentence text={snippets.required} />
          </p>
        </Step>
      )}
    </ol>
  );
}

const MARKS = { ok: 'ok', failed: 'fail', waiting: 'pending' } as const;

/** `seen`: what this server saw of it. */
function Step(props: {
  readonly title: string;
  readonly seen?: SetupEvidence | undefined;
  readonly children?: ComponentChildren;
}): VNode {
  const { title, seen, children } = props;
  const mark = seen && MARKS[seen.state];
  return (
    <li class={mark && { ok: 'seen', fail: 'refused', pending: undefined }[mark]}>
      <h2>
        {title}
        {mark === 'ok' && <span class="sr">, done</span>}
      </h2>
      {children}
      {seen !== undefined && mark !== undefined && (
        <p class={`proof ${mark}`}>
          <Icon name={mark} />
          <span>{printable(seen.words, 1_000)}</span>
        </p>
      )}
    </li>
  );
}

function SecretStep({ name, shown }: { readonly name: string; readonly shown: RepoOverview }): VNode {
  const { token, maintains, newest } = shown;
  const lost = newest === undefined ? `. ${TOKEN_LOST}` : '. Its value is on the settings page.';
  const where = maintains ? lost : '. Its maintainers see the value here.';
  return (
    <Step title="Save the token as a secret">
      <p>
        Add the secret <code>{name}</code> to the repo’s CI
        {token === undefined ? where : ' with this value. Click it to select all of it.'}
      </p>
      {token !== undefined && <p class="secret all">{token}</p>}
    </Step>
  );
}
