import { z } from 'zod';
import * as answers from '../../platform/http/openapi/answers.ts';
import { ofRepos } from '../../platform/http/openapi/operation.ts';
import { createSchema, graceSchema, updateSchema } from './repo-fields.ts';
import { settingsSchema } from './settings-fields.ts';
import { ratchetSchema } from './settings-routes.ts';

const ONE = '/api/v1/repos/{service}/{owner}/{name}';

export const REPO_OPERATIONS = ofRepos([
  {
    method: 'get',
    path: '/api/v1/repos',
    id: 'listRepos',
    summary: 'List the repos that the caller can see',
    query: [
      { name: 'page', description: 'From 1.', kind: 'integer' },
      { name: 'per_page', description: 'Repos on a page; the default is 30, the maximum 100.', kind: 'integer' },
    ],
    answer: { status: 200, schema: answers.repoList },
    failures: [401],
  },
  {
    method: 'post',
    path: '/api/v1/repos',
    id: 'createRepo',
    summary: 'Create a repo, with its token',
    body: z.strictObject({ repo: createSchema }),
    answer: { status: 201, schema: answers.newRepo },
    failures: [401, 403, 409, 422],
  },
  {
    method: 'get',
    path: ONE,
    id: 'readRepo',
    summary: 'Read a repo, with its token if the caller can administer it',
    answer: { status: 200, schema: answers.repo },
    failures: [401, 404],
  },
  {
    method: 'put',
    path: ONE,
    id: 'changeRepo',
    summary: 'Change the settings that Coveralls knows',
    body: z.strictObject({ repo: updateSchema }),
    answer: { status: 200, schema: answers.changedRepo },
    failures: [401, 403, 404, 422],
  },
  {
    method: 'delete',
    path: ONE,
    id: 'removeRepo',
    summary: 'Remove a repo with all its builds',
    answer: { status: 204 },
    failures: [401, 403, 404],
  },
  {
    method: 'post',
    path: `${ONE}/token`,
    id: 'rotateRepoToken',
    summary: 'Give a repo a new token',
    body: graceSchema,
    answer: { status: 201, schema: answers.newToken },
    failures: [401, 403, 404, 422],
  },
  {
    method: 'post',
    path: `${ONE}/webhook`,
    id: 'setWebhook',
    summary: 'Create or repair the webhook at the git host of the repo',
    answer: { status: 200, schema: answers.webhook },
    failures: [401, 403, 404, 422, 503],
  },
  {
    method: 'get',
    path: `${ONE}/uploads/refused`,
    id: 'listRefusedUploads',
    summary: 'List the rejected uploads of the repo',
    answer: { status: 200, schema: answers.refusedUploads },
    failures: [401, 403, 404],
  },
  {
    method: 'get',
    path: `${ONE}/settings`,
    id: 'readSettings',
    summary: 'Read all other settings',
    answer: { status: 200, schema: answers.settings },
    failures: [401, 403, 404],
  },
  {
    method: 'put',
    path: `${ONE}/settings`,
    id: 'changeSettings',
    summary: 'Change some of the other settings',
    body: settingsSchema,
    answer: { status: 200, schema: answers.settings },
    failures: [401, 403, 404, 422],
  },
  {
    method: 'post',
    path: `${ONE}/ratchet`,
    id: 'lowerRatchet',
    summary: 'Lower the ratchet: earlier totals no longer count',
    body: ratchetSchema,
    answer: { status: 200, schema: answers.settings },
    failures: [401, 403, 404, 422],
  },
]);
