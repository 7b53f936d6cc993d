import { runCommand } from './command-line.ts';
import { REPOS_USAGE } from './messages/repos-file.ts';
import { applyRepos, readAsked } from './repos-file/repos-command.ts';

await runCommand(REPOS_USAGE, (args) => {
  const asked = readAsked(args, process.env);
  return asked && (() => applyRepos(asked, { print: console.log, note: console.error }));
});
