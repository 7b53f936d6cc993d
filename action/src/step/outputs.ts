import type { BuildJson } from '@coverage/shared';
import type { Counts } from '../formats/file-hits.ts';

/** How the step ended. */
export interface StepOutcome {
  readonly upload?: UploadOutcome;
  /** The page of the build; undefined if the step did not learn it. */
  readonly buildUrl?: string;
  /** The closed build; undefined if it is open still or could not be read. */
  readonly build?: BuildJson;
  /** Why the verdict that was waited for fails the step: a sentence. */
  readonly failure?: string;
  /** Nothing was sent; this would have been. */
  readonly dryRun?: Unsent;
}

/** What a dry run did not send. */
interface Unsent {
  /** For the server. */
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

/** The step's outputs by name (action.yml); empty if unknown. */
export function stepOutputs({ upload, buildUrl, build }: StepOutcome): Record<string, string> {
  const { covered_percent: percent = null, coverage_change: change = null, verdict = null } = build ?? {};
  return {
    coverage: percent === null ? '' : percentText(percent),
    change: change === null ? '' : changeText(change),
    'job-url': upload?.url ?? '',
    'build-url': buildUrl ?? '',
    verdict: verdict?.state ?? '',
    overall: build?.overall?.state ?? verdict?.state ?? '',
    'failing-checks': (build?.overall?.failing ?? []).join('\n'),
  };
}

/** One line for the log. */
export function outcomeLine({ build, upload, dryRun, failure }: StepOutcome): string {
  if (dryRun) return NOTHING_SENT;
  if (build === undefined) return upload === undefined ? 'Build closed.' : `${upload.message} uploaded.`;
  // A failure names its verdict itself.
  const decided = decisionOf(build);
  const said = decided === undefined || failure !== undefined ? '' : ` ${decided.state}: ${decided.words}`;
  return `${heading(build)}.${said}`;
}

/** The overall state in the server's words: its total's, unless another check falls short. */
export function decisionOf({
  verdict,
  overall,
}: Pick<BuildJson, 'verdict' | 'overall'>): { readonly state: string; readonly words: string } | undefined {
  if (verdict === null) return undefined;
  if (overall === undefined || [...overall.failing, ...overall.would_fail].every((id) => id === 'total'))
    return { state: verdict.state, words: verdict.explanation };
  return { state: overall.state, words: overall.sentence };
}

/** `Coverage 79.26% (-7.10%)` */
export function heading(build: BuildJson | undefined): string {
  if (build === undefined) return 'Coverage';
  const { covered_percent: percent, coverage_change: change } = build;
  if (percent === null) return 'Coverage: no relevant lines';
  const changed = change === null ? '' : change === 0 ? ' (unchanged)' : ` (${changeText(change)}%)`;
  return `Coverage ${percentText(percent)}%${changed}`;
}

export const NOTHING_SENT = 'Dry run: nothing was sent.';

/**
 * A percentage with two decimals, rounded down, so that 100.00 appears only when nothing is missed (rules.md, rule 5).
 * Without a sign for percent. The number is cut as text: 4.35 is a hair less than 4.35 in binary, and has to stay 4.35.
 */
export function percentText(percent: number): string {
  const [whole, decimals] = decimalParts(percent);
  return `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`;
}

/**
 * A change in percentage points, cut toward zero to two decimals, or as many as it needs not to read as zero (rule 5),
 * with its sign; an exact zero is `0.00`.
 */
export function changeText(change: number): string {
  if (change === 0) return '0.00';
  const [whole, decimals] = decimalParts(Math.abs(change));
  const firstDigit = decimals.search(/[1-9]/) + 1;
  const shown = whole === '0' ? Math.max(2, firstDigit) : 2;
  return `${change < 0 ? '-' : '+'}${whole}.${decimals.padEnd(shown, '0').slice(0, shown)}`;
}

/** The digits before and behind the point in a number's shortest text; 0 or more. */
function decimalParts(value: number): [whole: string, decimals: string] {
  const [digits = '0', exponent] = String(value).split('e-');
  const [whole = '0', decimals = ''] = digits.split('.');
  return exponent === undefined ? [whole, decimals] : ['0', '0'.repeat(Number(exponent) - 1) + whole + decimals];
}
