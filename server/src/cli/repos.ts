import { readFileSync } from 'node:fs';
import { readOutgoing } from '../config/config.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { runCommand } from './command/command-line.ts';
import { readAsked, runRepos } from './repos-file/repos-command.ts';

const connect = () => createFetch(readOutgoing(process.env, (path) => readFileSync(path, 'utf8')));

await runCommand(
  `\
Makes and changes the repos of a coverage server that a file lists; run again, it changes nothing. Or makes and repairs
the webhooks of repos at their git host, of all repos of a service or of those that are named.

  COVERAGE_TOKEN=... npm run repos -- apply repos.yaml --server https://coverage.example [--dry-run]
  COVERAGE_TOKEN=... npm run repos -- webhooks <service> --server https://coverage.example [--dry-run]
  COVERAGE_TOKEN=... npm run repos -- webhooks <service>/<owner>/<name> ... --server https://coverage.example

  --dry-run          says what would be changed, and changes nothing
  --server <url>     the server's address; else COVERAGE_SERVER
  --tokens <file>    where the tokens of new repos go, a new file that only you can read; else repo-tokens.txt

COVERAGE_TOKEN is a personal token (npm run token). docs/monorepos.md shows a file.`,
  (args) => {
    const asked = readAsked(args, process.env);
    const output = { print: console.log, note: console.error };
    return asked && (() => runRepos(asked, output, connect()));
  },
);
