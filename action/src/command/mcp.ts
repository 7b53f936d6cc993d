import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ActionFailure } from '../runner/failure.ts';
import { uncoveredOf } from './check.ts';
import { NO_BASE, PREVIEW_OPTIONS, previewLocally, withLocalChange } from './local-pull.ts';
import { readLocalReports } from './local-reports.ts';
import { type Arguments, type Command, EXIT, type Shell } from './shell/command.ts';
import { countUncovered, findUncovered } from './uncovered-lines.ts';

/** What an agent asks with. */
interface Call {
  /** For the command that serves it. */
  readonly given: Arguments;
  readonly shell: Shell;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One read-only question. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly properties: object; readonly required?: string[] };
  answer(call: Call): Promise<object>;
}

const NO_INPUT = { type: 'object', properties: {} } as const;

/** Each answer reads everything again: the agent has changed files since. */
const TOOLS: readonly Tool[] = [
  {
    name: 'uncovered_changed_lines',
    description: 'Lines that this change added or changed and that no test reaches, with their text',
    inputSchema: NO_INPUT,
    answer: uncoveredChanged,
  },
  {
    name: 'file_coverage',
    description: 'Coverage of one source file: its counts, and its lines without a test',
    inputSchema: {
      type: 'object',
      properties: { file: { type: 'string', description: 'Path of the file in the repo' } },
      required: ['file'],
    },
    answer: coverageOfFile,
  },
  {
    name: 'what_would_pass',
    description:
      'The verdict that the pull request of this change will get, and what has to be covered to make it pass',
    inputSchema: NO_INPUT,
    answer: whatWouldPass,
  },
];

async function uncoveredChanged({ given, shell }: Call): Promise<object> {
  const { files, checkout } = await readLocalReports(given, shell);
  return withLocalChange(given, shell, async (change, target) => {
    if (change === undefined) throw new ActionFailure('bad-input', NO_BASE);
    const uncovered = findUncovered(files, checkout, change.diff);
    return { base: target?.name ?? change.mergeBase, ...countUncovered(uncovered), uncovered };
  });
}

async function coverageOfFile({ given, shell, input }: Call): Promise<object> {
  const name = typeof input.file === 'string' ? input.file.replace(/^\.\//, '') : '';
  const { files, checkout } = await readLocalReports(given, shell);
  const file = files.find((one) => one.name === name);
  if (file === undefined)
    throw new ActionFailure('bad-input', `No report includes ${name}. Check the path, and that its tests ran.`);
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

/** Serves the tools on standard input and output, until the input ends. */
async function serveTools(given: Arguments, shell: Shell): Promise<void> {
  // The protocol's code takes longer to load than every other command to run.
  const { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema } = await import(
    './mcp-protocol.ts'
  );
  const server = new Server({ name: 'coverage', version: shell.version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false },
    })),
  }));
  const answering = new Set<Promise<CallToolResult>>();
  const answer = async ({ params }: CallToolRequest): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    try {
      if (tool === undefined) throw new ActionFailure('bad-input', `There is no tool ${params.name}.`);
      const value = await tool.answer({ given, shell, input: params.arguments ?? {} });
      return { content: [{ type: 'text', text: JSON.stringify(value, undefined, 2) }] };
    } catch (error) {
      if (!(error instanceof ActionFailure)) throw error;
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    }
  };
  server.setRequestHandler(CallToolRequestSchema, (request) => {
    const answered = answer(request);
    answering.add(answered);
    return answered.finally(() => answering.delete(answered));
  });
  const ended = Promise.withResolvers<void>();
  server.onclose = ended.resolve;
  // The transport does not say that its input ended. What was asked before is answered first.
  process.stdin.once('end', async () => {
    do {
      await Promise.allSettled(answering);
      await nextTurn();
    } while (answering.size > 0);
    await server.close();
  });
  await server.connect(new StdioServerTransport());
  await ended.promise;
}

/** Answers coding agents over the Model Context Protocol. */
export const mcp: Command = {
  name: 'mcp',
  summary: 'answer coding agents over the Model Context Protocol, on standard input and output',
  usage: '[options] [report...]',
  explanation:
    'Three read-only tools: the missed lines of the change, the coverage of a file, and what would make the\n' +
    'check pass. Reports and git are read again for each question.',
  examples: [
    ['mcp', 'In the settings of an agent: {"command": "node", "args": ["coverage.mjs", "mcp"]}.'],
    ['mcp --base=develop', 'For a change to be merged into develop.'],
  ],
  options: PREVIEW_OPTIONS,
  async run(given, shell) {
    await serveTools(given, shell);
    return EXIT.good;
  },
};
