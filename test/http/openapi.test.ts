import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiDocument } from '../../server/src/operations/http/document.ts';
import { job, jsonPost, sourceFile } from '../support/coverage-api.ts';
import { type GitlabStandIn, startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { HOOK_SECRET, signatureOf } from '../support/hooks-client.ts';
import { type Service, startService } from '../support/service.ts';

let gitlab: GitlabStandIn;
let service: Service;
let document: ApiDocument;
beforeAll(async () => {
  gitlab = await startGitlabStandIn();
  gitlab.addRepo('acme/hooked');
  const ofGitlab = { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token, GITLAB_WEBHOOK_SECRET: HOOK_SECRET };
  service = await startService({ env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET, ...ofGitlab } });
  document = (await service.api.send<ApiDocument>('/api/openapi.json')).json;
});
afterAll(async () => {
  await service.stop();
  await gitlab.close();
});

type Schema = Record<string, unknown>;
interface Described {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

/** What pages ask, and second names of what is described. */
const NOT_DESCRIBED = [
  /^GET \/builds\/:reference\/mark\.json$/,
  /^GET \/repos\/(?:\*name\/badge\.png|:service\/\*name)$/,
  /^GET \/rerun_build$/,
  /^GET \/\w+\/\*name\/badge\.svg$/,
  /^POST \/builds\/:\w+\/accept/,
];

/** What programs ask: the rest are pages, and their forms. */
const FOR_PROGRAMS =
  /^\w+ (?:\/api\/.+|.*\.(?:json|csv|svg|info|xml)|\/(?:webhook|rerun_build|healthz|readyz|metrics|hooks\/\w+)?)$/;

const SERVICE = /^(\w+ \/)(?:github|bitbucket|gitlab|gitea|forgejo|stash|manual)\/\*name/;

/** The router's `GET /api{/v1,}/repos/:service/*name` as the document spells it. */
function asDescribed(route: string): string {
  return route
    .replace(SERVICE, '$1{service}/{owner}/{repo}')
    .replace(/^(\w+ \/api\/)(?=repos)/, '$1v1/')
    .replace(/:owner\/\*name/, '*name')
    .replace(/\/:service\/\*name/, '/{service}/{owner}/{name}')
    .replace(/\/hooks\/\w+/, '/hooks/{service}')
    .replace('*range', '{base}...{head}')
    .replace(/:(\w+)/g, '{$1}');
}

const described = (): ReadonlyMap<string, Described> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace('/{repo}/badge', '/{name}/badge')}`,
        operation as unknown as Described,
      ]),
    ),
  );

test('the description is a valid document of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  const ids = [...described().values()].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every route that is no page is described, and nothing else', () => {
  const asked = service.routes.filter((route) => FOR_PROGRAMS.test(route));
  const routes = asked.filter((route) => !NOT_DESCRIBED.some((form) => form.test(route)));
  expect([...new Set(routes.map(asDescribed))].sort()).toEqual([...described().keys()].sort());
});

/** The schema of an answer, so strict that a key that is not described does not fit. */
function strictSchema(schema: Schema): object {
  const close = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(close);
    if (node === null || typeof node !== 'object') return node;
    const own = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
    return 'properties' in own && !('additionalProperties' in own) ? { ...own, additionalProperties: false } : own;
  };
  return close({ ...schema, components: document.components }) as object;
}

const ajv = addFormats.default(new Ajv.default({ strict: false, allErrors: true }));
/** `readBuild 200`: what was answered as it is described. */
const met = new Set<string>();

/** Asks, and holds the answer against the description. */
async function ask(id: string, path: string, init: RequestInit = {}): Promise<{ status: number; json: never }> {
  const { status, text, headers } = await service.api.send(path, init);
  const operation = [...described().values()].find(({ operationId }) => operationId === id);
  const answer = operation?.responses[status];
  expect(answer, `${id} answered ${status}: ${text.slice(0, 200)}`).toBeDefined();
  const [type] = (headers.get('content-type') ?? '').split(';');
  const content = answer?.content ?? {};
  if (text === '') expect(Object.keys(content), id).toEqual([]);
  else expect(Object.keys(content), id).toEqual([type]);
  const schema = content['application/json']?.schema;
  const json = type === 'application/json' ? JSON.parse(text) : undefined;
  if (schema !== undefined) {
    const check = ajv.compile(strictSchema(schema));
    check(json);
    expect(check.errors ?? [], `${id} ${status}`).toEqual([]);
  }
  met.add(`${id} ${status}`);
  return { status, json: json as never };
}

const asAdmin = (body?: unknown, method = body === undefined ? 'GET' : 'PUT'): RequestInit => ({
  method,
  headers: { authorization: `token ${service.adminToken}`, 'content-type': 'application/json' },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

test('every operation answers as it is described', async () => {
  const name = 'acme/described';
  const made = await ask('createRepo', '/api/v1/repos', asAdmin({ repo: { service: 'manual', name } }, 'POST'));
  const { token } = (made.json as { repo: { token: string } }).repo;
  await ask('createRepo', '/api/v1/repos', asAdmin({ repo: { service: 'manual', name } }, 'POST'));
  await ask('createRepo', '/api/v1/repos', asAdmin({ repo: { service: 'svn', name: 'a/b' } }, 'POST'));
  await ask('createRepo', '/api/v1/repos', { method: 'POST' });
  const one = `/api/v1/repos/manual/${name}`;
  await ask('listRepos', '/api/v1/repos', asAdmin());
  await ask('readRepo', one, asAdmin());
  await ask('changeRepo', one, asAdmin({ repo: { commit_status_fail_threshold: 60 } }));
  await ask('changeSettings', `${one}/settings`, asAdmin({ patch_status: true, status_names: 'codecov' }));
  await ask('changeSettings', `${one}/settings`, asAdmin({ patch_minimum: 101 }));
  await ask('lowerRatchet', `${one}/ratchet`, asAdmin({ reason: 'as agreed' }, 'POST'));
  await ask('readSettings', `${one}/settings`, asAdmin());
  await service.store.accounts.create({
    issuer: 'local',
    subject: 'ada',
    name: 'Ada',
    email: undefined,
    administrator: false,
    groups: [],
    password: undefined,
    hostToken: undefined,
    signInCode: undefined,
    disabledAt: undefined,
    createdAt: 0,
    signedInAt: undefined,
  });
  const put = await ask('putMember', `${one}/members/ada`, asAdmin({ role: 'reader' }));
  expect(put.status).toBe(200);
  await ask('putMember', `${one}/members/ada`, asAdmin({ role: 'owner' }));
  await ask('putMember', `${one}/members/nobody`, asAdmin({ role: 'reader' }));
  await ask('listMembers', `${one}/members`, asAdmin());
  await ask('removeMember', `${one}/members/ada`, asAdmin(undefined, 'DELETE'));
  await ask('createShareLink', `${one}/share-links`, asAdmin({ name: 'Board', source: true }, 'POST'));
  await ask('createShareLink', `${one}/share-links`, asAdmin({ name: '' }, 'POST'));
  const links = await ask('listShareLinks', `${one}/share-links`, asAdmin());
  const [link] = (links.json as { share_links: { id: number }[] }).share_links;
  await ask('revokeShareLink', `${one}/share-links/${link?.id}`, asAdmin(undefined, 'DELETE'));
  await ask('readUploadSettings', `/api/v1/upload-settings?repo_token=${token}`);
  await ask('readUploadSettings', '/api/v1/upload-settings');
  const withToken = { authorization: `token ${token}` };
  for (const body of ['total: off', 'total: 80'])
    await ask('validateConfig', '/api/v1/config/validate', { method: 'POST', body, headers: withToken });
  await ask('validateConfig', '/api/v1/config/validate', { method: 'POST', body: 'total: off' });
  await ask('readConfigSchema', '/coverage.schema.json');
  const lines = [{ head_sha: 'a'.repeat(40) }, job({ repo_token: token, flag_name: 'unit' })];
  const previewed = { ...asAdmin(undefined, 'POST'), body: lines.map((line) => JSON.stringify(line)).join('\n') };
  await ask('previewPullRequest', `/api/v1/preview?repo=manual/${name}`, previewed);
  await ask('previewPullRequest', '/api/v1/preview', previewed);

  const upload = (number: string, hits: (number | null)[], fields: object = {}) =>
    ask(
      'uploadJob',
      '/api/v1/jobs',
      jsonPost({
        ...job({ repo_token: token, service_number: number, flag_name: 'unit', service_pull_request: '7' }),
        source_files: [sourceFile('src/a.ts', hits, { branches: [1, 0, 0, 1, 1, 0, 1, 0] })],
        ...fields,
      }),
    );
  await upload('1', [1, 1, null], { service_pull_request: null, git: { branch: 'main' } });
  await upload('2', [1, 0, null], { git: { branch: 'x', head: { message: 'two', committer_email: 'a@b.example' } } });
  await upload('3', [1], { parallel: true });
  await ask('uploadJob', '/api/v1/jobs', jsonPost({ repo_token: 'nobody', source_files: [] }));
  const close = { payload: { build_num: '3', status: 'done' } };
  await ask('closeBuild', `/webhook?repo_token=${token}`, jsonPost(close));
  await ask('closeBuild', '/webhook?repo_token=nobody', jsonPost(close));
  const list = await ask('listBuilds', `/manual/${name}.json?repo_token=${token}`);
  await ask('listBuilds', `/manual/${name}.json?page=1&repo_token=${token}`);
  const ids = (list.json as { builds: { id: string }[] }).builds.map(({ id }) => id);
  for (const id of ids) await service.closed(id);
  await ask('rerunBuild', `/rerun_build?build_num=2&repo_token=${token}`, { method: 'POST' });
  for (const id of ids) await service.closed(id);
  for (const id of ids) {
    await ask('readBuild', `/builds/${id}.json`, asAdmin());
    await ask('listSourceFiles', `/builds/${id}/source_files.json`, asAdmin());
  }
  await ask('uploadJob', '/api/v1/jobs', jsonPost({ ...job({ repo_token: token }), parallel: 'perhaps' }));
  const refused = await ask('listRefusedUploads', `${one}/uploads/refused`, asAdmin());
  expect((refused.json as { refused: object[] }).refused).toHaveLength(1);
  await ask('compareBuilds', `/manual/${name}/compare/${ids[0]}...main.json`, asAdmin());
  await ask('compareBuilds', `/manual/${name}/compare/main...nowhere.json`, asAdmin());
  await ask('listFlipping', `/manual/${name}/flipping.json`, asAdmin());
  await ask('listFlipping', '/manual/acme/nowhere/flipping.json', asAdmin());
  await ask('readTrend', `/manual/${name}/trend.json?branch=main`, asAdmin());
  await ask('readTrend', `/manual/${name}/trend.json`);
  await ask('readTrendCsv', `/manual/${name}/trend.csv?flag=unit&branch=main`, asAdmin());
  await ask('readBuild', `/builds/${ids[0]}.json`);
  await ask('readHits', `/builds/${ids[0]}/source.json?filename=src/a.ts`, asAdmin());
  await ask('readHits', `/builds/${ids[0]}/source.json`, asAdmin());
  await ask('exportLcov', `/builds/${ids[0]}/lcov.info`, asAdmin());
  await ask('exportCobertura', `/builds/${ids[0]}/cobertura.xml`, asAdmin());
  const build = await service.build(ids[0] ?? '');
  const jobPath = new URL(build.jobs[0]?.url ?? '').pathname;
  await ask('readJob', `${jobPath}.json`, asAdmin());
  await ask('readJob', `${jobPath}.json`);
  await ask('readBadge', `/repos/manual/${name}/badge.svg?repo_token=${token}`);
  await ask('readBadge', `/repos/manual/${name}/badge.svg`);
  const failing = (list.json as { builds: { id: string; number: string }[] }).builds.find(
    ({ number }) => number === '2',
  );
  const accept = `/api/v1/builds/${failing?.id}/accept`;
  expect(await ask('acceptFailure', accept, asAdmin({ reason: 'removed with the old API' }, 'POST'))).toMatchObject({
    status: 200,
  });
  await service.closed(failing?.id ?? '');
  await ask('readBuild', `/builds/${failing?.id}.json`, asAdmin());
  await ask('acceptFailure', accept, asAdmin({}, 'POST'));
  await ask('takeAcceptanceBack', accept, asAdmin(undefined, 'DELETE'));
  await ask('excludeBase', `/api/v1/builds/${ids[0]}/base`, asAdmin({ excluded: true }));
  await ask('excludeBase', `/api/v1/builds/${ids[0]}/base`, asAdmin({ excluded: 'yes' }));
  await ask('listAudit', '/api/v1/audit?per_page=5', asAdmin());
  await ask('listAudit', '/api/v1/audit?action=none', asAdmin());
  await ask('listSetAside', '/api/v1/builds/set-aside', asAdmin());
  await ask('removeBuild', `/api/v1/builds/${ids[0]}`, asAdmin(undefined, 'DELETE'));
  await ask('setWebhook', `${one}/webhook`, asAdmin({}, 'POST'));
  await service.newRepo({ service: 'gitlab', name: 'acme/hooked' });
  await ask('setWebhook', '/api/v1/repos/gitlab/acme/hooked/webhook', asAdmin({}, 'POST'));
  await ask('rotateRepoToken', `${one}/token`, asAdmin({ grace_period: '1h' }, 'POST'));
  await ask('removeRepo', one, asAdmin(undefined, 'DELETE'));

  const event = JSON.stringify({ zen: 'Keep it logically awesome.', hook_id: 1 });
  const headers = { 'content-type': 'application/json', 'x-github-event': 'star' };
  const signed = { ...headers, 'x-hub-signature-256': signatureOf(event) };
  await ask('takeEvent', '/hooks/github', { method: 'POST', headers, body: event });
  await ask('takeEvent', '/hooks/github', { method: 'POST', headers: signed, body: event });
  for (const [id, path] of [
    ['readWelcome', '/'],
    ['readHealth', '/healthz'],
    ['readReadiness', '/readyz'],
    ['readDescription', '/api/openapi.json'],
  ] as const)
    await ask(id, path);
  await ask('readMetrics', '/metrics', asAdmin());
  await ask('readHealth', '/healthz?identity');
  await ask('readReadiness', '/readyz?verbose', asAdmin());

  const unmet = [...described().values()].filter(
    ({ operationId, responses }) =>
      !Object.keys(responses).some((status) => status < '300' && met.has(`${operationId} ${status}`)),
  );
  expect(unmet.map(({ operationId }) => operationId)).toEqual([]);
});

test('a body that the description refuses is refused by the server, and the other way round', async () => {
  const check = (id: string) => {
    const operation = [...described().values()].find(({ operationId }) => operationId === id);
    const body = operation?.requestBody as { content: Record<string, { schema: Schema }> };
    return ajv.compile(body.content['application/json']?.schema ?? {});
  };
  const { name } = await service.newRepo();
  const path = `/api/v1/repos/manual/${name}/settings`;
  const bodies: readonly object[] = [
    { patch_minimum: 80 },
    { patch_minimum: null },
    { patch_minimum: 'base' },
    { patch_minimum: '80' },
    { patch_minimum: -1 },
    { comment_mode: 'on-change' },
    { comment_mode: 'never' },
    { informational: 1 },
    { unknown: true },
    { flag_settings: [{ flag: 'unit', minimum: 70 }] },
    { flag_settings: [{ minimum: 70 }] },
    { flag_settings: {} },
    { default_branch: null },
    { default_branch: 4 },
    { status_names: 'codecov' },
    { status_names: 'other' },
  ];
  const fits = check('changeSettings');
  const answers = [];
  for (const body of bodies) answers.push([body, (await service.api.send(path, asAdmin(body))).status === 200]);
  expect(answers).toEqual(bodies.map((body) => [body, fits(body)]));
});

test('the same stands on a page for people', async () => {
  const { text, status } = await service.api.send('/api', { headers: { accept: 'text/html' } });
  expect(status).toBe(200);
  expect(text).toContain('href="/api/openapi.json"');
  for (const { operationId } of described().values()) expect(text).toContain(`id="${operationId}"`);
});
