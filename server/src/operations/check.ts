import type { RepoService } from '../core/repo/repo.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Services } from '../services/services.ts';
import type { Store } from '../storage/store.ts';
import type { StoreInspection } from '../storage/store-inspection.ts';

export interface Finding {
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen, as a sentence. */
  readonly seen: string;
  /** What to do about it, as a sentence. */
  readonly remedy?: string;
}

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  run(): Promise<Finding> | Finding;
}

/** What checks look at, in a server that may not start. */
export interface Examined extends Pick<Services, 'hosts' | 'fetch' | 'clock' | 'timers' | 'openId'> {
  readonly database: StoreInspection;
  /** Undefined: the database cannot be used as it is. */
  readonly store: Store | undefined;
  /** Undefined: there is no key. */
  readonly secrets: Secrets | undefined;
  /** Undefined: not known here. */
  readonly baseUrl: string | undefined;
  readonly isBaseUrlSet: boolean;
  /** What is weak or mistyped in the settings, in sentences. */
  readonly warnings: readonly string[];
  /** Services of which a first upload may make a repo here. */
  readonly adoptsFrom: readonly RepoService[];
  readonly minFreeDisk: number;
  /** How long its groups count, in ms; undefined: they mean nothing here. */
  readonly groupsMaxAge: number | undefined;
  /** Settings by which calls leave this machine, by name. */
  readonly outgoing: readonly string[];
}

export const ok = (seen: string): Finding => ({ state: 'ok', seen });
export const skipped = (seen: string, remedy?: string): Finding => withRemedy('skipped', seen, remedy);
export const warning = (seen: string, remedy: string): Finding => withRemedy('warning', seen, remedy);
export const failed = (seen: string, remedy: string): Finding => withRemedy('failed', seen, remedy);

function withRemedy(state: Finding['state'], seen: string, remedy: string | undefined): Finding {
  return { state, seen, ...(remedy === undefined ? {} : { remedy }) };
}

/** Reasons of hosts end with a full stop, or not. */
export function asSentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}

export const NO_DATABASE = 'Not checked, because the database cannot be used.';

export const KEY_GONE = 'The key file beside the database is missing, and SECRET_KEY is not set.';

export const START_OR_LOG = 'Start the server; if it runs, see its log for what stops it.';
