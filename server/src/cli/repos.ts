import { readFileSync } from 'node:fs';
import { readOutgoing } from '../config/config.ts';
import { REPOS_USAGE } from '../messages/repos-file.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { runCommand } from './command/command-line.ts';
import { applyRepos, readAsked } from './repos-file/repos-command.ts';

const connect = () => createFetch(readOutgoing(process.env, (path) => readFileSync(path, 'utf8')));

await runCommand(REPOS_USAGE, (args) => {
  const asked = readAsked(args, process.env);
  const output = { print: console.log, note: console.error };
  return asked && (() => applyRepos(asked, output, connect()));
});
