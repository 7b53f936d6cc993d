import type { BuildJson } from '@coverage/shared';
import type { Counts } from '../formats/file-hits.ts';
import * as say from '../messages/outcome.ts';
import { changeText, percentText } from './percent-text.ts';

/** How the step ended. */
export interface StepOutcome {
  readonly upload?: UploadOutcome;
  /** The page of the build; undefined where the step did not learn it. */
  readonly buildUrl?: string;
  /** The closed build; undefined where it is open still or could not be read. */
  readonly build?: BuildJson;
  /** Why the verdict that was waited for fails the step: a sentence. */
  readonly failure?: string;
  /** Nothing was sent; this would have been. */
  readonly dryRun?: Unsent;
}

/** What a dry run did not send. */
export interface Unsent {
  /** Of the server. */
  readonly url: string;
  /** The body of the request, without its token. */
  body(): object;
}

/** What was uploaded. */
export interface UploadOutcome {
  /** The page of the job. */
  readonly url: string;
  /** `Job #71.2` */
  readonly message: string;
  readonly flagName: string;
  /** What of its reports was left out. */
  readonly warnings: readonly string[];
  readonly files: number;
  readonly lines: Counts;
  readonly branches: Counts;
  readonly reports: readonly { readonly path: string; readonly format: string }[];
}

/** The step's outputs by name (action.yml); empty where unknown. */
export function stepOutputs({ upload, buildUrl, build }: StepOutcome): Record<string, string> {
  const { covered_percent: percent = null, coverage_change: change = null, verdict = null } = build ?? {};
  return {
    coverage: percent === null ? '' : percentText(percent),
    change: change === null ? '' : changeText(change),
    'job-url': upload?.url ?? '',
    'build-url': buildUrl ?? '',
    verdict: verdict?.state ?? '',
  };
}

/** One line for the log. */
export function outcomeLine({ build, upload, dryRun, failure }: StepOutcome): string {
  if (dryRun) return say.NOTHING_SENT;
  if (build === undefined) return upload === undefined ? 'Build closed.' : `${upload.message} uploaded.`;
  // A failure names its verdict itself.
  const verdict =
    build.verdict === null || failure !== undefined ? '' : ` ${build.verdict.state}: ${build.verdict.explanation}`;
  return `${heading(build)}.${verdict}`;
}

/** `Coverage 79.26% (-7.10%)` */
export function heading(build: BuildJson | undefined): string {
  if (build === undefined) return 'Coverage';
  const { covered_percent: percent, coverage_change: change } = build;
  if (percent === null) return 'Coverage: no relevant lines';
  const changed = change === null ? '' : change === 0 ? ' (unchanged)' : ` (${changeText(change)}%)`;
  return `Coverage ${percentText(percent)}%${changed}`;
}
