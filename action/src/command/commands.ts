import { check } from './check.ts';
import { completionsOf } from './completions.ts';
import { doctor } from './doctor.ts';
import { done } from './done.ts';
import { mcp } from './mcp.ts';
import { convert, merge } from './merge.ts';
import { migrate } from './migrate.ts';
import { report } from './report.ts';
import type { Command } from './shell/command.ts';
import { show } from './show.ts';
import { uncovered } from './uncovered.ts';

/** Every command, in the order of the help: a new one is a file of its own and a line here. */
export const COMMANDS: readonly Command[] = [
  report,
  done,
  doctor,
  show,
  uncovered,
  check,
  mcp,
  merge,
  convert,
  migrate,
  completionsOf(() => COMMANDS),
];
