import { readFileSync } from 'node:fs';
import { readOutgoing } from '../config/config.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { runCommand } from './command/command-line.ts';
import { readAsked, runRepos } from './repos-file/repos-command.ts';

const connect = () => createFetch(readOutgoing(process.env, (path) => readFileSync(path, 'utf8')));

await runCommand(
  `\
"apply" creates and changes the repos of a coverage server as a file lists them; a second run changes nothing.
"webhooks" creates and repairs the webhooks of repos at their git host: of a service's repos, or of those you name.

  COVERAGE_TOKEN=... npm run repos -- apply repos.yaml --server https://coverage.example [--dry-run]
  COVERAGE_TOKEN=... npm run repos -- webhooks <service> --server https://coverage.example [--dry-run]
  COVERAGE_TOKEN=... npm run repos -- webhooks <service>/<owner>/<name> ... --server https://coverage.example

  --dry-run          shows what would be changed, and changes nothing
  --server <url>     the server's URL; the default is COVERAGE_SERVER
  --tokens <file>    a new file for the tokens of new repos, which only you can read; the default is repo-tokens.txt

COVERAGE_TOKEN is a personal token (npm run token). docs/monorepos.md has an example.`,
  (args) => {
    const asked = readAsked(args, process.env);
    const output = { print: console.log, note: console.error };
    return asked && (() => runRepos(asked, output, connect()));
  },
);
