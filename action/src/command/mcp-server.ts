import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ActionFailure } from '../runner/failure.ts';
import { TOOLS } from './mcp-tools.ts';
import type { Arguments, Shell } from './shell/command.ts';

/** Serves the tools on standard input and output, until the input ends. */
export async function serveTools(given: Arguments, shell: Shell): Promise<void> {
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
