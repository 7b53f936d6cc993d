import { Failure } from '../core/failure.ts';
import { userOf } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { SignedIn } from '../core/repo/caller.ts';
import type { PersonalToken } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

const MAX_TOKENS = 100;
const MAX_NAME = 100;
/** `cvp_` and two characters more: enough to tell them apart, and 246 bits are left to guess. */
const BEGINNING = 6;

/** Somebody who is signed in. */
type Person = Pick<SignedIn, 'account' | 'caller'>;

type Tokens = Pick<Services, 'tokens' | 'secrets' | 'clock'>;

/** Answers the token in the clear: the only time that it can be seen. `lifetime`: ms; undefined: it never expires. */
export async function createAccountToken(
  { tokens, secrets, clock }: Tokens,
  { account, caller }: Person,
  { name, lifetime }: { readonly name: string; readonly lifetime: number | undefined },
): Promise<{ readonly stored: PersonalToken; readonly token: string }> {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME)
    throw new Failure('payload-invalid', `A token’s name has 1 to ${MAX_NAME} characters.`, { field: 'name' });
  if ((await tokens.ofAccount(account.id)).length >= MAX_TOKENS)
    throw new Failure('over-limit', `You have ${MAX_TOKENS} tokens; revoke one that you do not need.`);
  const token = secrets.newPersonalToken();
  const createdAt = clock.now();
  const expiry = lifetime === undefined ? {} : { expiresAt: createdAt + lifetime };
  const stored = await tokens.create(
    {
      user: userOf(account),
      // What its owner is when it is used counts.
      role: 'user',
      hash: secrets.hash(token),
      ending: token.slice(-4),
      beginning: token.slice(0, BEGINNING),
      createdAt,
      accountId: account.id,
      name: trimmed,
      ...expiry,
    },
    auditBy(caller, { action: 'token.made', at: createdAt, after: { name: trimmed, ...expiry } }),
  );
  return { stored, token };
}

/** Throws a Failure `not-found` for another's. */
export async function revokeAccountToken(
  { tokens, clock }: Tokens,
  { account, caller }: Person,
  id: number,
): Promise<void> {
  const own = (await tokens.ofAccount(account.id)).some((token) => token.id === id);
  if (!own) throw new Failure('not-found', `You have no token ${id}.`);
  const at = clock.now();
  await tokens.revoke(id, at, auditBy(caller, { action: 'token.revoked', at, token: id }));
}
