import type { BuildJson } from '@coverage/shared';
import type { Counts } from './formats/file-hits.ts';
import * as say from './messages/outcome.ts';
import { changeText, percentText } from './percent-text.ts';

/** How the step ended. */
export interface StepOutcome {
  readonly upload?: UploadOutcome;
  /** The page of the build; undefined where the step did not learn it. */
  readonly buildUrl?: string;
  /** The closed build; undefined where it is open still or could not be read. */
  readonly build?: BuildJson;
}

/** What was uploaded. */
export interface UploadOutcome {
  /** The page of the job. */
  readonly url: string;
  /** `Job #71.2` */
  readonly message: string;
  readonly flagName: string;
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

/** The job summary as Markdown. Everything that came from a report, a flag or the server is escaped. */
export function summaryMarkdown({ upload, buildUrl, build }: StepOutcome): string {
  return [
    `### ${heading(build)}`,
    ...(build?.verdict
      ? [`**${escapeMarkdown(build.verdict.state)}**: ${escapeMarkdown(build.verdict.explanation)}`]
      : []),
    ...(build === undefined || build.flags.length === 0 ? [] : [flagTable(build)]),
    ...(build?.warnings ?? []).slice(0, 20).map((warning) => `> ${escapeMarkdown(warning)}`),
    ...(upload === undefined ? [] : [uploadText(upload)]),
    ...(buildUrl === undefined ? [] : [link(say.BUILD_PAGE, buildUrl)]),
    '',
  ].join('\n\n');
}

/** One line for the log. */
export function outcomeLine({ build, upload }: StepOutcome): string {
  if (build === undefined) return upload === undefined ? say.BUILD_CLOSED : say.uploaded(upload.message);
  const verdict = build.verdict === null ? '' : ` ${build.verdict.state}: ${build.verdict.explanation}`;
  return `${heading(build)}.${verdict}`;
}

/**
 * Text that stays text in GitHub's Markdown: line breaks become blanks and every mark of ASCII gets a backslash
 * (CommonMark allows it before each), so that no name becomes a link, an image, a table cell, HTML or a mention.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

function heading(build: BuildJson | undefined): string {
  if (build === undefined) return 'Coverage';
  const { covered_percent: percent, coverage_change: change } = build;
  if (percent === null) return say.NO_RELEVANT_LINES;
  const changed = change === null ? '' : change === 0 ? ' (unchanged)' : ` (${changeText(change)}%)`;
  return `Coverage ${percentText(percent)}%${changed}`;
}

function flagTable(build: BuildJson): string {
  const rows = build.flags.map((flag) => {
    const percent = flag.covered_percent === null ? '—' : `${percentText(flag.covered_percent)}%`;
    const change = flag.coverage_change === null ? '—' : `${changeText(flag.coverage_change)}%`;
    const carried = flag.carried_from === null ? '' : say.carriedFrom(escapeMarkdown(flag.carried_from.build));
    return `| ${escapeMarkdown(flag.name)}${carried} | ${percent} | ${change} |`;
  });
  return [say.FLAG_TABLE_HEAD, '| --- | ---: | ---: |', ...rows].join('\n');
}

function uploadText({ url, message, flagName, files, lines, branches, reports }: UploadOutcome): string {
  const flag = escapeMarkdown(flagName);
  const shown = reports.slice(0, 20).map(({ path, format }) => `- ${escapeMarkdown(path)} (${escapeMarkdown(format)})`);
  const more = reports.length > 20 ? [`- ${say.moreReports(reports.length - 20)}`] : [];
  return [say.summary(link(message, url), { flag, files, lines, branches }), '', ...shown, ...more].join('\n');
}

function link(text: string, url: string): string {
  const href = URL.canParse(url) ? new URL(url) : undefined;
  if (href === undefined || !/^https?:$/.test(href.protocol)) return escapeMarkdown(text);
  return `[${escapeMarkdown(text)}](<${href.href.replaceAll('<', '%3C').replaceAll('>', '%3E')}>)`;
}
