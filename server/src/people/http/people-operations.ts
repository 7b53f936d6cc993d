import { z } from 'zod';
import * as answers from '../../platform/http/openapi/answers.ts';
import { ofRepos } from '../../platform/http/openapi/operation.ts';

const ONE = '/api/v1/repos/{service}/{owner}/{name}';

/** Bodies that are checked by hand; a test holds that both agree. */
const linkBody = z.looseObject({
  name: z.string().min(1).max(100).meta({ description: 'What the link is for.' }),
  expires_in_days: z.int().min(1).max(365).optional().meta({ description: 'The default is 30.' }),
  source: z.boolean().optional().meta({ description: 'Whether source texts may be read too.' }),
});
const memberBody = z.looseObject({ role: z.enum(['reader', 'maintainer']) });

/** Who may read or maintain a repo beside its owner. */
export const PEOPLE_OPERATIONS = ofRepos([
  {
    method: 'get',
    path: `${ONE}/members`,
    id: 'listMembers',
    summary: 'List who can read or maintain a repo',
    answer: { status: 200, schema: answers.members },
    failures: [401, 403, 404],
  },
  {
    method: 'put',
    path: `${ONE}/members/{account}`,
    id: 'putMember',
    summary: 'Let somebody read or maintain a repo',
    body: memberBody,
    answer: { status: 200, schema: answers.member },
    failures: [401, 403, 404, 422],
  },
  {
    method: 'delete',
    path: `${ONE}/members/{account}`,
    id: 'removeMember',
    summary: 'Remove a member of a repo',
    answer: { status: 204 },
    failures: [401, 403, 404],
  },
  {
    method: 'get',
    path: `${ONE}/share-links`,
    id: 'listShareLinks',
    summary: 'List the share links of a repo',
    answer: { status: 200, schema: answers.shareLinks },
    failures: [401, 403, 404],
  },
  {
    method: 'post',
    path: `${ONE}/share-links`,
    id: 'createShareLink',
    summary: 'Create a link that shows a repo without an account',
    body: linkBody,
    answer: { status: 201, schema: answers.newShareLink },
    failures: [401, 403, 404, 409, 422],
  },
  {
    method: 'delete',
    path: `${ONE}/share-links/{id}`,
    id: 'revokeShareLink',
    summary: 'Revoke a share link',
    answer: { status: 204 },
    failures: [401, 403, 404],
  },
]);
