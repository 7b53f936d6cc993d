import type { PreviewJson } from '@coverage/shared';
import * as say from '../messages/command/check.ts';
import { type LocalPreview, PREVIEW_OPTIONS, previewLocally } from './local-pull.ts';
import type { Command } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';
import { choosePaint, type Paint, safeText } from './shell/terminal-text.ts';
import { findUncovered, type UncoveredFile } from './uncovered-lines.ts';
import { uncoveredText } from './uncovered-text.ts';

/** Says before the push which verdict the pull request will get. */
export const check: Command = {
  name: 'check',
  summary: say.CHECK.summary,
  usage: say.CHECK.usage,
  explanation: say.CHECK.explanation,
  examples: say.CHECK.examples,
  options: [{ name: 'json', summary: say.PULL_OPTIONS.json }, ...PREVIEW_OPTIONS],
  async run(given, shell) {
    const found = await previewLocally(given, shell);
    const { preview } = found;
    for (const warning of preview.warnings) shell.say(safeText(warning));
    const uncovered = uncoveredOf(found);
    if (given.isOn('json')) shell.print(`${JSON.stringify({ ...preview, uncovered }, undefined, 2)}\n`);
    else shell.print(describe(preview, uncovered, choosePaint(given, shell)));
    return preview.passes ? EXIT.good : EXIT.failed;
  },
};

/** Where the change is not known, no line of it is either. */
export function uncoveredOf({ local, change }: LocalPreview): readonly UncoveredFile[] {
  return change === undefined ? [] : findUncovered(local.files, local.checkout, change.diff);
}

function describe(preview: PreviewJson, uncovered: readonly UncoveredFile[], paint: Paint): string {
  const { passes, sentence, base, statuses, remedies } = preview;
  const word = passes ? paint.good(say.PASSES) : paint.bad(say.FAILS);
  const others = statuses.filter(({ description }) => description !== sentence);
  const parts = [
    `${paint.bold(word)}: ${safeText(sentence)}`,
    safeText(base === null ? say.NOT_COMPARED : say.comparedWith(base)),
    ...section(
      say.HEADINGS.statuses,
      others.map((one) => `${one.state.padEnd(7)}  ${one.context}: ${one.description}`),
    ),
    ...section(
      say.HEADINGS.remedies,
      remedies.map((one) => `${say.remedyOf(one.of)}: ${one.sentence}`),
    ),
  ];
  const lines = uncovered.length === 0 ? [] : [`${say.HEADINGS.uncovered}\n${uncoveredText(uncovered, paint)}`];
  return `${[parts.join('\n'), ...lines].join('\n\n').trimEnd()}\n`;
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${safeText(line)}`)];
}
