import { MCP } from '../messages/command/check.ts';
import { PREVIEW_OPTIONS } from './local-pull.ts';
import type { Command } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';

/** Answers coding agents over the Model Context Protocol. */
export const mcp: Command = {
  name: 'mcp',
  summary: MCP.summary,
  usage: MCP.usage,
  explanation: MCP.explanation,
  examples: MCP.examples,
  options: PREVIEW_OPTIONS,
  async run(given, shell) {
    // The protocol's code takes longer to load than every other command to run.
    const { serveTools } = await import('./mcp-server.ts');
    await serveTools(given, shell);
    return EXIT.good;
  },
};
