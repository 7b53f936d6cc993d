import * as say from '../messages/command/check.ts';
import { ActionFailure } from '../runner/failure.ts';
import { uncoveredOf } from './check.ts';
import { previewLocally, withLocalChange } from './local-pull.ts';
import { readLocalReports } from './local-reports.ts';
import type { Arguments, Shell } from './shell/command.ts';
import { findUncovered } from './uncovered-lines.ts';
import { countUncovered } from './uncovered-text.ts';

/** What an agent asks with. */
export interface Call {
  /** Of the command that serves it. */
  readonly given: Arguments;
  readonly shell: Shell;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One read-only question. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly properties: object; readonly required?: string[] };
  answer(call: Call): Promise<object>;
}

const NO_INPUT = { type: 'object', properties: {} } as const;

/** Each answer reads everything again: the agent has changed files since. */
export const TOOLS: readonly Tool[] = [
  { name: 'uncovered_changed_lines', description: say.MCP.changed, inputSchema: NO_INPUT, answer: uncoveredChanged },
  {
    name: 'file_coverage',
    description: say.MCP.ofFile,
    inputSchema: {
      type: 'object',
      properties: { file: { type: 'string', description: say.MCP.file } },
      required: ['file'],
    },
    answer: coverageOfFile,
  },
  { name: 'what_would_pass', description: say.MCP.wouldPass, inputSchema: NO_INPUT, answer: whatWouldPass },
];

async function uncoveredChanged({ given, shell }: Call): Promise<object> {
  const { files, checkout } = await readLocalReports(given, shell);
  return withLocalChange(given, shell, async (change, target) => {
    if (change === undefined) throw new ActionFailure('bad-input', say.NO_BASE);
    const uncovered = findUncovered(files, checkout, change.diff);
    return { base: target?.name ?? change.mergeBase, ...countUncovered(uncovered), uncovered };
  });
}

async function coverageOfFile({ given, shell, input }: Call): Promise<object> {
  const name = typeof input.file === 'string' ? input.file.replace(/^\.\//, '') : '';
  const { files, checkout } = await readLocalReports(given, shell);
  const file = files.find((one) => one.name === name);
  if (file === undefined)
    throw new ActionFailure('bad-input', `No report names ${name}. Look at the path, and whether its tests have run.`);
  const [found] = findUncovered([file], checkout);
  return {
    file: name,
    lines: file.countLines(),
    branches: file.countBranches(),
    uncovered: found?.ranges ?? [],
    missed_branches: found?.branches ?? [],
  };
}

async function whatWouldPass({ given, shell }: Call): Promise<object> {
  const found = await previewLocally(given, shell);
  const { passes, sentence, statuses, remedies, cause, base } = found.preview;
  return { passes, sentence, statuses, remedies, cause: cause?.sentence ?? null, base, uncovered: uncoveredOf(found) };
}
