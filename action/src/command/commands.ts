import type { Command } from './command.ts';
import { migrate } from './migrate.ts';
import { show } from './show.ts';

/** Every command, in the order of the help: a new one is a file of its own and a line here. */
export const COMMANDS: readonly Command[] = [show, migrate];
