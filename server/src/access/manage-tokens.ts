import { Failure, quoteValue } from '../core/failure.ts';
import { auditBy, COMMAND_LINE } from '../core/repo/audit.ts';
import type { PersonalToken, Role } from '../core/repo/repo.ts';
import { readUserName, USER_NAME_FORM } from '../core/repo/user-name.ts';
import type { Services } from '../services/services.ts';

/** A personal token (api.md "Credentials"), stored as a hash. It is answered in the clear this one time. */
export async function createToken(
  { tokens, secrets, clock }: Pick<Services, 'tokens' | 'secrets' | 'clock'>,
  { user, role }: { readonly user: string; readonly role: Role },
): Promise<{ readonly stored: PersonalToken; readonly token: string }> {
  const name = readUserName(user);
  if (name === undefined)
    throw new Failure('payload-invalid', `A user name is ${USER_NAME_FORM}, not ${quoteValue(user)}.`);
  const token = secrets.newPersonalToken();
  const createdAt = clock.now();
  const stored = await tokens.create(
    { user: name, role, hash: secrets.hash(token), ending: token.slice(-4), createdAt },
    auditBy(COMMAND_LINE, { action: 'token.made', at: createdAt, after: { role } }),
  );
  return { stored, token };
}

/** Throws a Failure `not-found` when there is no such token. */
export async function revokeToken({ tokens, clock }: Pick<Services, 'tokens' | 'clock'>, id: number): Promise<void> {
  const at = clock.now();
  if (await tokens.revoke(id, at, auditBy(COMMAND_LINE, { action: 'token.revoked', at, token: id }))) return;
  throw new Failure('not-found', `There is no token ${id}; \`npm run token -- list\` shows all.`);
}
