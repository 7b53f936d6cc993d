import type { Store } from '../store.ts';
import type { Units } from '../table.ts';
import { ACCOUNTS, createAccountStore, createSessionStore, SESSIONS } from './accounts.ts';
import { AUDIT, createAuditLog } from './audit.ts';
import { createFactStore, FACTS } from './facts.ts';
import { createFlipLedgerStore, FLIP_LEDGERS } from './flip-ledgers.ts';
import { createHistoryImports, HISTORY_IMPORTS, HISTORY_PARTS } from './histories.ts';
import { createHostAppStore, createWebhookLog, HOST_APPS, WEBHOOKS } from './hosts.ts';
import { createMemberStore, createShareStore, MEMBERS, SHARE_LINKS } from './members.ts';
import { createRefusalStore, REFUSALS } from './refusals.ts';
import {
  createTokenStore,
  createTokenUses,
  createUsedIdTokens,
  PERSONAL_TOKENS,
  TOKEN_USES,
  USED_ID_TOKENS,
} from './tokens.ts';

/** Everything that is declared, in the order in which it is copied and named. */
export const DECLARED = [
  PERSONAL_TOKENS,
  ACCOUNTS,
  AUDIT,
  SESSIONS,
  MEMBERS,
  SHARE_LINKS,
  HOST_APPS,
  FACTS,
  REFUSALS,
  TOKEN_USES,
  USED_ID_TOKENS,
  WEBHOOKS,
  FLIP_LEDGERS,
  HISTORY_IMPORTS,
  HISTORY_PARTS,
] as const;

export type DeclaredName = (typeof DECLARED)[number]['name'];

/** The parts of a store that are the same in both. */
export function createDeclaredStores(units: Units) {
  return {
    audit: createAuditLog(units),
    tokenUses: createTokenUses(units),
    facts: createFactStore(units),
    refusals: createRefusalStore(units),
    tokens: createTokenStore(units),
    usedIdTokens: createUsedIdTokens(units),
    accounts: createAccountStore(units),
    sessions: createSessionStore(units),
    members: createMemberStore(units),
    shares: createShareStore(units),
    hostApps: createHostAppStore(units),
    webhooks: createWebhookLog(units),
    flipLedgers: createFlipLedgerStore(units),
    histories: createHistoryImports(units),
  } satisfies Partial<Store>;
}
