import type { StatusNames } from '../domain/repo/repo.ts';
import type { IdentifyCaller, IdentifyReader, IdentifyReaderOf } from '../http/middleware/authenticate.ts';
import type { Addresses } from '../http/presenters/addresses.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { Clock } from '../ports/clock.ts';
import type { Highlighter } from '../ports/highlighter.ts';
import type { Hosts } from '../ports/host.ts';
import type { ReportEngine } from '../ports/report-engine.ts';
import type { ReportReader } from '../ports/report-reader.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Store } from '../ports/store.ts';
import type { Timers } from '../ports/timers.ts';
import type { KnowAccess } from '../use-cases/access/know-access.ts';
import type { FetchSource } from '../use-cases/builds/fetch-source.ts';
import type { ShowBuild, ShowJob } from '../use-cases/builds/show-build.ts';

/** What the routes that only read are made from. */
export interface ReadingParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly knowAccess: KnowAccess;
  readonly reader: ReportReader;
  readonly engine: Pick<ReportEngine, 'readDiff'>;
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
