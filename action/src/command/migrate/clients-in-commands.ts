import type { Note } from './file-migration.ts';

/** What replaces a client of Codecov. */
export const OUR_COMMAND =
  'curl -fsS "$COVERAGE_ENDPOINT/cli.mjs" -o coverage.mjs, ' +
  'then node coverage.mjs report, with --job-flag=<flag> for a flag and the reports by name if they are not found. ' +
  'COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN are variables of the CI.';

/** A client of another service, by the program that a command runs; `how`: a sentence that says what to do with it. */
interface Client {
  readonly runs: RegExp;
  /** What else the command says. */
  readonly says?: RegExp;
  readonly how: string;
}

/** The first match decides. Each sees one command, without what starts it. */
const CLIENTS: readonly Client[] = [
  { runs: /\bcodecov\.io\/bash\b/, how: `The bash uploader only sends to Codecov. Run in its place: ${OUR_COMMAND}` },
  {
    runs: /\b(?:uploader|cli)\.codecov\.io\b|\bkeybase\.io\/codecov/,
    how: "This fetches or checks Codecov's program, which only sends to Codecov. Remove it.",
  },
  {
    runs: /^(?:pip3?|pipx|uv|npm|yarn|pnpm) (?:\S+ )?(?:install|add|i) /,
    says: / codecov(?:-cli)?\b/,
    how: "This installs Codecov's client, which only sends to Codecov. Remove it.",
  },
  {
    runs: /^codecov(?:cli)?(?:\.exe)?\b(?![.\-/]\w)/,
    how: `This client only sends to Codecov. Run in its place: ${OUR_COMMAND}`,
  },
  {
    runs: /^goveralls\b/,
    how: 'goveralls takes the address of this server with -endpoint <address>, and the token with -repotoken.',
  },
  {
    runs: /^cargo tarpaulin\b.*--coveralls\b/,
    how: 'cargo tarpaulin takes the address of this server with --report-uri <address>/api/v1/jobs.',
  },
  {
    runs: /^mvnw? .*\bcoveralls:report\b/,
    how: 'Give the plugin the URL of this server with -DcoverallsUrl=<address>/api/v1/jobs.',
  },
  {
    runs: /^gradlew? .*\bcoveralls(?:Jacoco)?\b/,
    how: 'Set apiEndpoint = "<address>/api/v1/jobs" in the block of the plugin in the build file.',
  },
  { runs: /^sbt .*\bcoveralls\b/, how: 'Set coverallsEndpoint := Some("<address>") in the build file.' },
  { runs: /^mix coveralls\.\w/, how: 'Set config :excoveralls, endpoint: "<address>" in config/config.exs.' },
  {
    runs: /^php-coveralls\b/,
    how: 'Set the entry point of php-coveralls to the URL of this server in .coveralls.yml.',
  },
  {
    runs: /^curl .*\bcoveralls\.io\/api\b/,
    how: 'Send it to <address>/api/v1/jobs of this server, with its repo token.',
  },
];

/** Clients that read the address from a variable, in files of CIs that set it for all of their jobs. */
const BY_VARIABLE: readonly Client[] = [
  {
    runs: /^coveralls-lcov\b|^(?:cpp-)?coveralls\b(?![.:/]\w)/,
    how:
      'coveralls reads the address of this server from COVERALLS_ENDPOINT, the PyPI package from COVERALLS_HOST. Set ' +
      'it beside COVERALLS_REPO_TOKEN in the variables of the CI.',
  },
];

/** Before the program: variables, and what starts it. */
const WRAPPERS: readonly RegExp[] = [
  /^\w+=(?:"[^"]*"|'[^']*'|[^\s"']*) +/,
  /^(?:npx|bunx|pnpx|sudo|exec|bash|time)(?: +-\S+)* +/,
  /^(?:(?:bundle|yarn|pnpm|npm) exec|(?:poetry|pipenv|uv|hatch|pdm|rye|yarn|pnpm) run|python3? -m|php) +/,
  /^(?:yarn|pnpm)(?: dlx)? +(?=codecov|coveralls)/,
  /^(?:sh|bat|powershell|pwsh) *\(?/,
  /^["'`(<$@-]+ */,
  /^(?:[\w.$~{}-]*\/)+/,
];

/** The clients in each line of commands, with what to do. `from`: the number of the first line. */
export function nameClients(commands: string, at: { readonly from: number; readonly byVariable: boolean }): Note[] {
  const known = at.byVariable ? [...CLIENTS, ...BY_VARIABLE] : CLIENTS;
  return commands.split('\n').flatMap((line, index) => {
    if (/^\s*(?:#|\/\/|\*)/.test(line)) return [];
    const ofLine = commandsOf(line).flatMap(
      (command) => known.find(({ runs, says }) => runs.test(command) && (says?.test(command) ?? true)) ?? [],
    );
    return [...new Set(ofLine)].map(({ how }) => ({ line: at.from + index, sentence: how }));
  });
}

/** The commands in a line of shell, or of a block around it: `steps { sh 'codecov' }`. */
function commandsOf(line: string): readonly string[] {
  return line.split(/&&|\|\|?|;|\bthen\b|(?<!\$)\{ /).map((part) => {
    let command = part.trim();
    for (let before = ''; before !== command; ) {
      before = command;
      command = WRAPPERS.reduce((rest, wrapper) => rest.replace(wrapper, ''), command);
    }
    return command;
  });
}
