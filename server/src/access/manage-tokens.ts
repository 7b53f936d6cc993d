import { Failure, quoteValue } from '../core/failure.ts';
import { auditBy, COMMAND_LINE } from '../core/repo/audit.ts';
import type { PersonalToken, Role } from '../core/repo/repo.ts';
import { readUserName, USER_NAME_FORM } from '../core/repo/user-name.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { TokenStore } from '../storage/store.ts';

export interface ManageTokensDeps {
  readonly tokens: TokenStore;
  readonly secrets: Pick<Secrets, 'newPersonalToken' | 'hash'>;
  readonly clock: Clock;
}

/** What an operator does with personal tokens. */
export interface ManageTokens {
  /** Answers the token in the clear: the only time that it can be seen. */
  create(wanted: {
    readonly user: string;
    readonly role: Role;
  }): Promise<{ readonly stored: PersonalToken; readonly token: string }>;
  /** Revoked ones too, oldest first. */
  list(): Promise<readonly PersonalToken[]>;
  /** Throws a Failure `not-found` when there is no such token. */
  revoke(id: number): Promise<void>;
}

/** Personal tokens (api.md "Credentials"), stored as hashes. */
export function createManageTokens(deps: ManageTokensDeps): ManageTokens {
  const { tokens, secrets, clock } = deps;
  return {
    async create({ user, role }) {
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
    },
    list: () => tokens.list(),
    async revoke(id) {
      const at = clock.now();
      if (await tokens.revoke(id, at, auditBy(COMMAND_LINE, { action: 'token.revoked', at, token: id }))) return;
      throw new Failure('not-found', `There is no token ${id}; \`npm run token -- list\` shows all.`);
    },
  };
}
