import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ActionFailure } from '../failure.ts';
import { noSuchTool } from '../messages/command/check.ts';
import type { Arguments, Shell } from './command.ts';
import { TOOLS } from './mcp-tools.ts';

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
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    try {
      if (tool === undefined) throw new ActionFailure('bad-input', noSuchTool(params.name));
      const value = await tool.answer({ given, shell, input: params.arguments ?? {} });
      return { content: [{ type: 'text', text: JSON.stringify(value, undefined, 2) }] };
    } catch (error) {
      if (!(error instanceof ActionFailure)) throw error;
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    }
  });
  const ended = Promise.withResolvers<void>();
  server.onclose = ended.resolve;
  // The transport does not say that its input ended.
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  await ended.promise;
}
