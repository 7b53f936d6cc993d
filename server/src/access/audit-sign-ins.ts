import { type AuditEntry, auditBy } from '../core/repo/audit.ts';
import { createWriteLimit } from '../platform/limiter.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Services } from '../services/services.ts';

/** How somebody tried to sign in, and from where. */
export interface SignInTry {
  /** `password`, `link`, or the key of a provider. */
  readonly way: string;
  readonly address: string;
}

/** Sign-ins in the audit log. What is typed as a name never is: it may be a password. */
export interface AuditSignIns {
  /** To be written with the session; undefined: this account has signed in too often to write each time. */
  succeeded(tried: SignInTry & { readonly account: number }): AuditEntry | undefined;
  /** `account`: whose sign-in it would have been, where that is known. */
  failed(tried: SignInTry & { readonly account?: number | undefined }): Promise<void>;
}

const WINDOW = 10 * 60_000;

/** Entries of each process in ten minutes. Failures count by network: known and unknown names cost the same. */
const SIGN_INS_WRITTEN = {
  failed: { window: WINDOW, ofKey: 20, ofAll: 500 },
  succeeded: { window: WINDOW, ofKey: 20, ofAll: Number.POSITIVE_INFINITY },
} as const;

export function createAuditSignIns({ audit, clock }: Pick<Services, 'audit' | 'clock'>): AuditSignIns {
  const may = {
    failed: createWriteLimit(clock, SIGN_INS_WRITTEN.failed),
    succeeded: createWriteLimit(clock, SIGN_INS_WRITTEN.succeeded),
  };
  let omitted = 0;
  const countOmitted = (): { readonly omitted?: number } => {
    const counted = omitted === 0 ? {} : { omitted };
    omitted = 0;
    return counted;
  };
  return {
    succeeded({ way, address, account }) {
      const entry = { action: 'sign-in.succeeded', at: clock.now(), account, after: { way } } as const;
      if (may.succeeded(account))
        return auditBy({ by: { kind: 'account', account }, address }, { ...entry, ...countOmitted() });
      omitted += 1;
      return undefined;
    },
    async failed({ way, address, account }) {
      const entry = { action: 'sign-in.failed', at: clock.now(), ...(account !== undefined && { account }) } as const;
      if (may.failed(networkOf(address)))
        await audit.record(
          auditBy({ by: { kind: 'unknown' }, address }, { ...entry, after: { way }, ...countOmitted() }),
        );
      else omitted += 1;
    },
  };
}
