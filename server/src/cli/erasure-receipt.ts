import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Failure } from '../core/failure.ts';
import type { ErasedFromBuilds } from '../people/erase-person.ts';
import type { RemovedAccount } from '../people/manage-accounts.ts';

const LEFT_BY_ERASURE: readonly string[] = [
  'The audit log keeps the number of the account, and the IP addresses that it was used from.',
  'What was posted at a git host stays there, except comments and statuses that are sent again.',
  'Earlier backups contain the data until they are removed.',
  'Source texts, file paths, branch names and reasons were not searched.',
  'A later upload stores the author of its commit again.',
];

export interface Erasure {
  readonly at: number;
  readonly account: number | undefined;
  readonly emails: readonly string[];
  readonly removed: RemovedAccount | undefined;
  readonly builds: ErasedFromBuilds;
}

/** Makes the file before anything is erased, so that a receipt is never missing. Throws a Failure. */
export function reserveReceipt(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Failure(
      'conflict',
      `The receipt ${JSON.stringify(path)} cannot be created as a new file ` +
        `(${(error as NodeJS.ErrnoException).code ?? String(error)}). Nothing was erased.`,
    );
  }
}

/** The receipt names nobody: addresses stand there as SHA-256, so that people can find theirs. */
export function formatReceipt({ at, account, emails, removed, builds }: Erasure): string {
  const receipt = {
    erased_at: new Date(at).toISOString(),
    account: account ?? null,
    email_sha256: emails.map((email) => createHash('sha256').update(email).digest('hex')),
    removed: {
      accounts: removed === undefined ? 0 : 1,
      sessions: removed?.sessions ?? 0,
      personal_tokens: removed?.tokens ?? 0,
      memberships: removed?.memberships ?? 0,
    },
    replaced: {
      repo_owners: removed?.repos ?? 0,
      names_on_members: removed?.membersMade ?? 0,
      names_on_share_links: removed?.shareLinksMade ?? 0,
      builds: builds.builds,
      uploads: builds.jobs,
      names_on_lowered_ratchets: builds.repos,
    },
    left: LEFT_BY_ERASURE,
  };
  return `${JSON.stringify(receipt, undefined, 2)}\n`;
}
