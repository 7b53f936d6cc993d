import type Router from '@koa/router';
import { requireCaller } from '../../access/browser/authenticate.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { MEMBER_ROLES, type MemberRole } from '../../core/repo/account.ts';
import { toSeconds } from '../../core/time.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { type ListedMember, listMembers, putMember, removeMember } from '../members.ts';
import { fieldWrong } from './sentences.ts';
import { requestOf } from './share-links-routes.ts';

const PATHS = ['/api/v1', '/api'].map((path) => `${path}/repos/:service/*name/members`);

/** Who may read or maintain a repo beside its owner: listed and changed by its maintainers. */
export function registerMemberRoutes(router: Router, services: Services): void {
  const identify = requireCaller(services.identifyCaller);

  router.get(PATHS, identify, async (context) => {
    context.body = { members: (await listMembers(services, requestOf(context))).map(presentMember) };
  });

  const one = PATHS.map((path) => `${path}/:account`);
  router.put(one, identify, smallBodies(), async (context) => {
    const role = readRole((context.request.body ?? {}) as Readonly<Record<string, unknown>>);
    const { account = '' } = context.params;
    context.body = { member: presentMember(await putMember(services, { ...requestOf(context), account, role })) };
  });
  router.delete(one, identify, async (context) => {
    await removeMember(services, { ...requestOf(context), account: context.params.account ?? '' });
    context.status = 204;
  });
}

/** Throws a Failure `payload-invalid`. */
export function readRole({ role }: Readonly<Record<string, unknown>>): MemberRole {
  const known = MEMBER_ROLES.find((one) => one === role);
  if (known !== undefined) return known;
  const sentence = fieldWrong({ field: 'role', form: MEMBER_ROLES.join(' or '), found: quoteValue(role) });
  throw new Failure('payload-invalid', sentence, { field: 'role' });
}

function presentMember({ member, account }: ListedMember): Answer<'member'>['member'] {
  const { accountId, role, by, at } = member;
  return { account: accountId, name: account?.name ?? null, role, added_by: by, added_at: toSeconds(at) };
}
