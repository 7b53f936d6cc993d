import type { ComposedReport } from '../domain/build/build-report.ts';
import type { ReportBytes } from './store.ts';

/** The heavy arithmetic of a close, off the main thread. */
export interface ReportEngine {
  /** Decodes, merges, counts and compares; answers plain data and the merged report, encoded. */
  compose(input: EncodedComposition): Promise<EncodedComposed>;
}

export interface EncodedComposition {
  /** The jobs that count. */
  readonly jobs: readonly { readonly flag: string | undefined; readonly report: ReportBytes }[];
  /** For each carried flag the reports of the jobs that make it up. */
  readonly carried: readonly { readonly flag: string; readonly reports: readonly ReportBytes[] }[];
  /** The merged report of the base build. */
  readonly base: ReportBytes | undefined;
}

export type EncodedComposed = Omit<ComposedReport, 'report'> & { readonly report: ReportBytes };
