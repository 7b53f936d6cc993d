import type { Config } from '../config/config.ts';
import type { Build } from '../core/builds/build.ts';
import type { SecretTexts } from '../core/secret-texts.ts';
import type { AskProvider } from '../hosts/facts/ask-provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Cookies } from '../platform/http/cookies.ts';
import type { IdentifyReaderOf, IdentifyRequest } from '../platform/http/identify-request.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { Logger } from '../platform/logger.ts';
import type { Fetch } from '../platform/outgoing.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Timers } from '../platform/timers.ts';
import type { Addresses } from '../platform/web/addresses.ts';
import type { CurrentGroups, ResolveAccess } from '../ports/access.ts';
import type { Hosts } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { IdTokens } from '../ports/id-tokens.ts';
import type { OpenIdSignIn } from '../ports/sign-in.ts';
import type { FetchSource } from '../reports/fetch-source.ts';
import type { Highlighter } from '../reports/highlighter.ts';
import type { ReportEngine } from '../reports/report-engine.ts';
import type { ReportIntake } from '../reports/report-intake.ts';
import type { ReportReader } from '../reports/report-reader.ts';
import type { Store } from '../storage/store.ts';

/** What a store keeps, each kind of thing by its name. */
export type Stored = Omit<Store, 'isShared' | 'now' | 'check' | 'measure' | 'sweep' | 'close'>;

/**
 * What features work with. A use case takes it as its first argument, typed by what it uses:
 * `Pick<Services, 'builds' | 'clock'>`.
 */
export interface Services extends Stored {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly secretTexts: SecretTexts;
  readonly logger: Logger;
  /** If several processes share a store, the store's. */
  readonly clock: Clock;
  readonly timers: Timers;
  /** What every call of another server is sent by. */
  readonly fetch: Fetch;
  readonly hosts: Hosts;
  /** From now on this server signs in as that App. False: it did before. */
  readonly useApp: (app: HostApp) => boolean;
  readonly askProvider: AskProvider;
  readonly intake: ReportIntake;
  readonly engine: ReportEngine;
  readonly reader: ReportReader;
  readonly highlighter: Highlighter;
  readonly fetchSource: FetchSource;
  /** Builds that are compared at once. */
  readonly comparisons: Pick<Scheduler, 'take' | 'give'>;
  /** Undefined: nobody signs in at an OpenID provider. */
  readonly openId: OpenIdSignIn | undefined;
  readonly idTokens: IdTokens;
  readonly groups: CurrentGroups;
  readonly resolveAccess: ResolveAccess;
  /** By the Authorization header. */
  readonly identifyCaller: IdentifyRequest;
  /** The same, the holder of a repo token, or `anonymous`. */
  readonly identifyReader: IdentifyRequest;
  /** A reader, or who may upload to the build of that reference, or to the build of that job. */
  readonly identifyBuildReader: IdentifyReaderOf;
  readonly identifyJobReader: IdentifyReaderOf;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  readonly addresses: Addresses;
  readonly cookies: Cookies;
  readonly pageOf: PageOf;
  /** Of this server. */
  readonly version: string;
  /** Called when something in a build is due. */
  readonly onDue: () => void;
  /** Called with a build that took a job: its reports may be merged ahead of the close. */
  readonly noteJob: (build: Build) => void;
  /** Called when something may be announced again. */
  readonly onResumed: () => void;
  /** Resolves in another turn of the event loop: others are answered before. */
  readonly turn: () => Promise<void>;
  /** True once the process was asked to stop. */
  readonly isStopping: () => boolean;
}
