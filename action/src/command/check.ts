import type { PreviewJson } from '@coverage/shared';
import { type LocalPreview, PREVIEW_OPTIONS, previewLocally } from './local-pull.ts';
import { type Command, EXIT } from './shell/command.ts';
import { choosePaint, type Paint, safeText } from './shell/terminal-text.ts';
import { findUncovered, type UncoveredFile, uncoveredText } from './uncovered-lines.ts';

/** Says before the push which verdict the pull request will get. */
export const check: Command = {
  name: 'check',
  summary: 'say before the push which verdict the pull request will get',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports in this folder, and asks git what changed since the target branch of the pull request,\n' +
    'committed or not. The server judges them by the same rules as a later upload, and stores nothing.\n' +
    'Exits with 0 if every commit status will succeed, and with 1 if one will not.',
  examples: [
    ['check', 'The verdict on the current state of the checkout.'],
    ['check --base=develop --flag=unit', 'For a pull request into develop, with a flag, in CI.'],
    ['check --flag=unit=unit/lcov.info --flag=e2e=e2e/lcov.info', 'Reports of two flags.'],
    ['check --carryforward=all --json', 'With the last reports of the other flags, as JSON.'],
  ],
  options: [{ name: 'json', summary: 'everything as JSON' }, ...PREVIEW_OPTIONS],
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

/** If the change is not known, no line of it is either. */
export function uncoveredOf({ local, change }: LocalPreview): readonly UncoveredFile[] {
  return change === undefined ? [] : findUncovered(local.files, local.checkout, change.diff);
}

function describe(preview: PreviewJson, uncovered: readonly UncoveredFile[], paint: Paint): string {
  const { passes, base, statuses, remedies } = preview;
  const sentence = sentenceOf(preview);
  const word = passes ? paint.good('Will pass') : paint.bad('Will fail');
  const others = statuses.filter(({ description }) => description !== sentence);
  const parts = [
    `${paint.bold(word)}: ${safeText(sentence)}`,
    safeText(base === null ? 'There is no build to compare with.' : comparedWith(base)),
    ...section(
      'Commit statuses:',
      others.map((one) => `${one.state.padEnd(7)}  ${one.context}: ${one.description}`),
    ),
    ...section(
      'What would pass:',
      remedies.map((one) => `${remedyOf(one.of)}: ${one.sentence}`),
    ),
  ];
  const lines =
    uncovered.length === 0 ? [] : [`${'Changed lines without a test:'}\n${uncoveredText(uncovered, paint)}`];
  return `${[parts.join('\n'), ...lines].join('\n\n').trimEnd()}\n`;
}

/** The build's own status, unless another check falls short: then the names of what fails. */
function sentenceOf({ sentence, overall }: PreviewJson): string {
  const short = overall === undefined ? [] : [...overall.failing, ...overall.would_fail];
  return overall === undefined || short.every((id) => id === 'total') ? sentence : overall.sentence;
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${safeText(line)}`)];
}

function comparedWith({ build, chosen }: { readonly build: string; readonly chosen: string }): string {
  return `Compared with build ${build}: ${chosen}.`;
}

function remedyOf(of: string): string {
  return of === 'build' ? 'the build' : of === 'patch' ? 'the changed lines' : of.replace(/^flag:/, 'flag ');
}
