import type { VNode } from 'preact';
import { VerdictMark } from '../../builds/pages/build-words.tsx';
import { printable } from '../../core/printable.ts';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { Part } from '../../platform/web/render-parts.tsx';
import { TOKEN_LOST } from '../sentences.ts';
import type { RepoOverview } from '../show-repo.ts';
import { ClientList, COMMAND_SNIPPETS, Sentence, Snippet } from './snippets.tsx';

/** What stands in the page of a repo that nothing was uploaded to. `root`: BASE_URL. */
export function* setupParts(shown: RepoOverview, page: PageContext, root: string): Generator<Part> {
  const { repo, token, idTokens } = shown;
  yield (
    <>
      <h1>Set up {printable(repo.name)}</h1>
      <p class="quiet lede">
        {idTokens ? 'Two' : 'Three'} steps, about five minutes. Nothing is installed on your runners.
      </p>
    </>
  );
  yield (
    <section class="two setup">
      <Steps shown={shown} root={root} />
      <Waiting shown={shown} page={page} root={root} />
    </section>
  );
  yield <OtherClients idTokens={idTokens !== undefined} token={token} root={root} />;
}

function Waiting(props: { readonly shown: RepoOverview; readonly page: PageContext; readonly root: string }): VNode {
  const { shown, page, root } = props;
  const { repo, maintains, idTokens } = shown;
  return (
    <div class="stack">
      <div class="note" data-poll={page.links.buildList(repo, { page: 1, per_page: 1 })} data-mark="0">
        <p>
          <VerdictMark of={{ state: 'open' }} words="Waiting for the first upload" />
        </p>
        <p class="quiet small">This page shows the build as soon as a job arrived.</p>
      </div>
      <h2>Nothing arrives?</h2>
      <ul class="dots small">
        {maintains && (
          <li>
            An upload that was refused is listed under <a href={page.links.ofRepo(repo, 'uploads')}>Uploads</a>, with
            what to change.
          </li>
        )}
        <li>
          The step’s log names the address it used. It should be <code>{root}</code>.
        </li>
        {idTokens !== undefined && (
          <li>
            This server has to reach {idTokens.host} over https. Where it cannot, give the {shown.snippets?.called} the
            repo’s token.
          </li>
        )}
        <li>
          Pull requests from forks get no secrets. Their runs are taken as unverified where the repo’s settings say so,
          as they do of a public repo.
        </li>
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
        {idTokens && token === undefined && ', which its maintainers see here'}, and the address as it stands here:
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

function Steps({ shown, root }: { readonly shown: RepoOverview; readonly root: string }): VNode {
  const { repo, idTokens, snippets = COMMAND_SNIPPETS } = shown;
  const branch = repo.settings.defaultBranch ?? repo.seen?.defaultBranch ?? 'main';
  return (
    <ol class="steps">
      {idTokens === undefined && <SecretStep name={snippets.secret} shown={shown} />}
      <li>
        <h2>Paste this {snippets.called}</h2>
        <p>
          <Sentence text={snippets.place} />
          {idTokens !== undefined && ` ${idTokens.host} vouches for its runs, so no secret is needed.`}
        </p>
        <Snippet text={snippets.whole({ root, byIdToken: idTokens !== undefined }, printable(branch, 100))} />
        <p class="quiet small">
          Reports are found by their usual names and told apart by content. <Sentence text={snippets.several} />
        </p>
      </li>
      <li>
        <h2>Push</h2>
        <p>
          The first build has nothing to be compared with, so it passes unless a minimum is set. From the second on,
          every change is judged.
        </p>
      </li>
    </ol>
  );
}

function SecretStep({ name, shown }: { readonly name: string; readonly shown: RepoOverview }): VNode {
  const { token, maintains } = shown;
  const where = maintains ? `. ${TOKEN_LOST}` : '. Its maintainers see the value here.';
  return (
    <li>
      <h2>Save the token as a secret</h2>
      <p>
        Add the secret <code>{name}</code> to the repo’s CI
        {token === undefined ? where : ' with this value. A click selects it whole.'}
      </p>
      {token !== undefined && <p class="secret all">{token}</p>}
    </li>
  );
}
