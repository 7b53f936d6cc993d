import './newer-built-ins.ts';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ActionFailure } from '../runner/failure.ts';
import { oneLine } from '../runner/log.ts';
import { runCommand } from './run-command.ts';
import { EXIT, exitCodeOf, type Shell } from './shell/command.ts';

/** Put in where the file is built. */
declare const COMMAND_VERSION: string;

const shell: Shell = {
  env: process.env,
  folder: process.cwd(),
  print: (text) => process.stdout.write(text),
  printAll: async (pieces) => {
    for (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  },
  say: (line) => process.stderr.write(`${line}\n`),
  terminal: process.stdout.isTTY ? { columns: process.stdout.columns } : undefined,
  runtime: {
    userAgent: `coverage-service-command/${COMMAND_VERSION}`,
    // Node loads its HTTP client when `fetch` is first touched, so not before it is used.
    fetch: (...request) => fetch(...request),
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    every: (milliseconds, tick) => {
      const timer = setInterval(tick, milliseconds);
      return () => clearInterval(timer);
    },
  },
  // The archives' own program says how it is called there.
  program: process.env.COVERAGE_COMMAND || programOf(basename(process.argv[1] ?? 'coverage.mjs')),
  version: COMMAND_VERSION,
  nodeVersion: process.versions.node,
  file: fileURLToPath(import.meta.url),
};

// Anybody who reads a pipe may close it early, as `head` does: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.good);
  throw error;
});

try {
  process.exitCode = await runCommand(process.argv.slice(2), shell);
} catch (error) {
  process.exitCode = report(error);
}

/** A file by its ending is given to Node, any other name is a program's. */
function programOf(file: string): string {
  return /\.m?js$/.test(file) ? `node ${file}` : file;
}

function report(error: unknown): number {
  if (error instanceof ActionFailure) {
    shell.say(oneLine(error.message));
    return exitCodeOf(error.code);
  }
  shell.say(`This is a bug in the program itself (version ${shell.version}); what follows is for a bug report.`);
  shell.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.fault;
}
