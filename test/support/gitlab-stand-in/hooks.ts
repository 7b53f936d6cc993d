import type { RepoRecord } from '../github-stand-in/model.ts';
import type { RestAnswer } from '../rest-stand-in/rest-server.ts';
import { type GitlabRequest, type GitlabWorld, type HookRecord, Refused } from './model.ts';
import { accessOf, type Operation, ok, PAGE, page } from './operations.ts';

const EVENTS = ['push_events', 'merge_requests_events', 'pipeline_events'];
const FIELDS = ['url', 'token', 'signing_token', 'enable_ssl_verification', ...EVENTS];
const MAINTAINER = 40;

/** The webhooks of a project, for its maintainers. The secret of one is never shown. */
export const HOOKS: readonly Operation[] = [
  {
    on: 'GET /hooks',
    query: PAGE,
    answer: (gitlab, repo, asked) => {
      requireMaintainer(repo, asked);
      const own = gitlab.hooks.filter(({ repoId }) => repoId === repo.id);
      return page(
        own.map((hook) => present(gitlab, hook)),
        asked.query,
      );
    },
  },
  {
    on: 'POST /hooks',
    body: FIELDS,
    answer: (gitlab, repo, asked) => {
      requireMaintainer(repo, asked);
      gitlab.nextId += 1;
      // Pushes are sent unless that is disabled.
      const hook = { id: gitlab.nextId, repoId: repo.id, fields: { push_events: true } };
      gitlab.hooks.push(hook);
      return { ...change(gitlab, hook, asked), status: 201 };
    },
  },
  {
    on: 'POST /hooks/:id/test/:trigger',
    answer: (gitlab, repo, asked, [id]) => {
      requireMaintainer(repo, asked);
      const hook = gitlab.hooks.find((one) => one.repoId === repo.id && one.id === Number(id));
      if (hook === undefined) throw new Refused(404, '404 Not found');
      hook.fields.alert_status = 'executable';
      return { status: 201, body: { message: '201 Created' } };
    },
  },
  {
    on: 'PUT /hooks/:id',
    body: FIELDS,
    answer: (gitlab, repo, asked, [id]) => {
      requireMaintainer(repo, asked);
      const hook = gitlab.hooks.find((one) => one.repoId === repo.id && one.id === Number(id));
      if (hook === undefined) throw new Refused(404, '404 Not found');
      return change(gitlab, hook, asked);
    },
  },
];

/** One before 19.0 leaves the signing token out without a word. */
function change(gitlab: GitlabWorld, hook: HookRecord, { body }: GitlabRequest): RestAnswer {
  const { signing_token: signing, ...others } = body;
  Object.assign(hook.fields, others, gitlab.major >= 19 && signing !== undefined ? { signing_token: signing } : {});
  return ok(present(gitlab, hook));
}

function present({ major }: GitlabWorld, { id, repoId, fields }: HookRecord) {
  const { token, signing_token: signing, ...shown } = fields;
  const secrets = { token_present: token !== undefined, signing_token_present: signing !== undefined };
  return { id, project_id: repoId, alert_status: 'executable', ...shown, ...(major >= 19 ? secrets : {}) };
}

function requireMaintainer(repo: RepoRecord, { caller }: GitlabRequest): void {
  if (accessOf(repo, caller) < MAINTAINER) throw new Refused(403, '403 Forbidden');
}
