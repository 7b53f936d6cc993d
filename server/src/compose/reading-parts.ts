import type { IdentifyCaller, IdentifyReader, IdentifyReaderOf } from '../access/browser/authenticate.ts';
import type { KnowAccess } from '../access/know-access.ts';
import type { FetchSource } from '../builds/fetch-source.ts';
import type { ShowBuild, ShowJob } from '../builds/show-build.ts';
import type { StatusNames } from '../core/repo/setting.ts';
import type { Clock } from '../platform/clock.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Timers } from '../platform/timers.ts';
import type { Addresses } from '../platform/web/addresses.ts';
import type { Hosts } from '../ports/host.ts';
import type { Highlighter } from '../reports/highlighter.ts';
import type { ReportEngine } from '../reports/report-engine.ts';
import type { ReportReader } from '../reports/report-reader.ts';
import type { Store } from '../storage/store.ts';

/** What the routes that only read are made from. */
export interface ReadingParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly knowAccess: KnowAccess;
  readonly reader: ReportReader;
  readonly engine: Pick<ReportEngine, 'readDiff' | 'merge'>;
  readonly identifyReader: IdentifyReader;
  readonly identifyCaller: IdentifyCaller;
  readonly identifyBuildReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly hosts: Hosts;
  readonly pageOf: PageOf;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly fetchSource: FetchSource;
  readonly highlighter: Highlighter;
  readonly showBuild: ShowBuild;
  readonly showJob: ShowJob;
  /** Of commit statuses, where a repo states none. */
  readonly ownNames: StatusNames;
}
