import { BRANCH_MISSED, uncoveredAt } from '../messages/command/check.ts';
import type { UncoveredFile, UncoveredRange } from './uncovered-lines.ts';

/** GitHub's workflow commands: a warning beside each run of lines, a notice beside a line with a missed branch. */
export function toWorkflowCommands(files: readonly UncoveredFile[]): string {
  const lines = files.flatMap(({ name, ranges, branches }) => [
    ...ranges.map((range) => command('warning', { name, range, title: 'No test', message: uncoveredAt(range.lines) })),
    ...branches.map((range) =>
      command('notice', { name, range, title: 'A branch without a test', message: BRANCH_MISSED }),
    ),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

interface Mark {
  readonly name: string;
  readonly range: UncoveredRange;
  readonly title: string;
  readonly message: string;
}

function command(level: 'warning' | 'notice', { name, range, title, message }: Mark): string {
  const place = `file=${property(name)},line=${range.first},endLine=${range.last},title=${property(title)}`;
  return `::${level} ${place}::${data(message)}`;
}

/** A warning that GitHub's runner shows in yellow, whatever writes it. */
export function warningCommand(message: string): string {
  return `::warning::${data(message)}`;
}

/** As the runner reads it back: a name could end the command, or begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
