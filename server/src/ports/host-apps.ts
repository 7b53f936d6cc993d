import type { AuditEntry } from '../core/repo/audit.ts';
import type { RepoService } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';

/** An App that this server had made at a git host, with its secrets in the clear. */
export interface HostApp {
  readonly service: RepoService;
  /** Which of the service's hosts it is of, such as `https://github.com`: no other is ever shown its secrets. */
  readonly host: string;
  readonly id: number;
  readonly name: string;
  /** Its page at the host. */
  readonly page: string;
  /** RSA, as PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The same as it is stored. */
export interface StoredHostApp {
  readonly service: RepoService;
  /** 1 for the first; each change is one more. */
  readonly revision: number;
  /** A HostApp as JSON, sealed (Secrets.sealText). */
  readonly sealed: string;
  readonly at: Timestamp;
}

/** At most one App for each service. */
export interface HostAppStore {
  list(): Promise<readonly StoredHostApp[]>;
  /** False, and nothing is written, unless the revision follows the one that is stored. */
  put(app: StoredHostApp, audit?: AuditEntry): Promise<boolean>;
  /** False, and nothing is removed, unless this revision is stored. */
  remove(app: Pick<StoredHostApp, 'service' | 'revision'>, audit?: AuditEntry): Promise<boolean>;
}

/** A form of ours that a browser sends to the host. */
export interface HostForm {
  /** At the host. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** How an App is made at a host: a form asks for it, and a code that comes back is exchanged for it. */
export interface HostAppSetup {
  /** The settings that hold this server's credential there, by which no App is looked at; none: it may be made. */
  readonly configured: readonly string[];
  /** What the App may do, in the host's words. */
  readonly permissions: Readonly<Record<string, string>>;
  /** The App in use, of those that were made. */
  readonly inUse: HostApp | undefined;
  /** `owner`: an organization; empty: the person's own account. Throws a Failure for what is no name of one. */
  form(asked: { readonly baseUrl: string; readonly owner: string; readonly state: string }): HostForm;
  /** Throws a ProviderFailure. */
  exchange(code: string): Promise<HostApp>;
  /** Where its owner installs it. */
  installAddress(app: HostApp): string;
}
