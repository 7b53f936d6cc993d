import { REPO_SERVICES } from '../../core/repo/repo.ts';
import { Csrf, Notice } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { Part } from '../../platform/web/render-parts.tsx';

/** What was typed, and why no repo was made of it. */
export interface NewRepoForm {
  readonly service: string;
  readonly name: string;
  readonly problem: string | undefined;
}

/** Where a repo is made. */
export const renderNewRepoPage = (form: NewRepoForm, page: PageContext): Iterable<string> => {
  const crumbs = [{ name: 'Add a repo', href: page.links.newRepo() }];
  return renderPage(page, { title: 'Add a repo', crumbs }, mainParts(form, page));
};

function* mainParts({ service, name, problem }: NewRepoForm, page: PageContext): Generator<Part> {
  const mayMakeAll = page.viewer?.administrator === true;
  const services = mayMakeAll ? REPO_SERVICES : (['manual'] as const);
  yield (
    <>
      <h1>Add a repo</h1>
      <p class="quiet lede">You become its owner. Its page then shows the token, and what to add to your CI.</p>
      {problem !== undefined && <Notice kind="bad" text={problem} />}
    </>
  );
  yield (
    <form method="post" action={page.links.newRepo()} class="stack">
      <Csrf page={page} />
      <div class="field">
        <label for="service">Service</label>
        <select id="service" name="service">
          {services.map((one) => (
            <option value={one} selected={one === service}>
              {one}
            </option>
          ))}
        </select>
        <span class="help">
          {mayMakeAll
            ? 'Where its code is hosted. This server posts commit statuses and comments on repos at a git host.'
            : 'A repo at a git host is created by an administrator, or by its first upload with a token of that host.'}
        </span>
      </div>
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" value={name} placeholder="owner/name" size={40} maxLength={400} required />
        <span class="help">As in its URL: the owner, a slash, the name.</span>
      </div>
      <div class="row">
        <button type="submit" class="primary">
          Add the repo
        </button>
      </div>
    </form>
  );
}
