import * as say from '../../messages/command/migrate.ts';
import type { Note } from './file-migration.ts';

/** A client of another service, by the program that a command runs; `how` says what to do with it. */
interface Client {
  readonly runs: RegExp;
  /** What else the command says. */
  readonly says?: RegExp;
  readonly how: keyof typeof say.CLIENTS;
}

/** The first that fits is taken. Each sees one command, without what starts it. */
const CLIENTS: readonly Client[] = [
  { runs: /\bcodecov\.io\/bash\b/, how: 'bashUploader' },
  { runs: /\b(?:uploader|cli)\.codecov\.io\b|\bkeybase\.io\/codecov/, how: 'codecovProgram' },
  {
    runs: /^(?:pip3?|pipx|uv|npm|yarn|pnpm) (?:\S+ )?(?:install|add|i) /,
    says: / codecov(?:-cli)?\b/,
    how: 'codecovInstalled',
  },
  { runs: /^codecov(?:cli)?(?:\.exe)?\b(?![.\-/]\w)/, how: 'codecov' },
  { runs: /^goveralls\b/, how: 'goveralls' },
  { runs: /^cargo tarpaulin\b.*--coveralls\b/, how: 'tarpaulin' },
  { runs: /^mvnw? .*\bcoveralls:report\b/, how: 'maven' },
  { runs: /^gradlew? .*\bcoveralls(?:Jacoco)?\b/, how: 'gradle' },
  { runs: /^sbt .*\bcoveralls\b/, how: 'sbt' },
  { runs: /^mix coveralls\.\w/, how: 'excoveralls' },
  { runs: /^php-coveralls\b/, how: 'phpCoveralls' },
  { runs: /^curl .*\bcoveralls\.io\/api\b/, how: 'curl' },
];

/** Those that read the address from a variable, which other files of CIs get for all of their jobs. */
const BY_VARIABLE: readonly Client[] = [
  { runs: /^coveralls-lcov\b|^(?:cpp-)?coveralls\b(?![.:/]\w)/, how: 'coveralls' },
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

/** A client in each line of commands, with what to do. `from`: the number of the first line. */
export function nameClients(commands: string, at: { readonly from: number; readonly byVariable: boolean }): Note[] {
  const known = at.byVariable ? [...CLIENTS, ...BY_VARIABLE] : CLIENTS;
  return commands.split('\n').flatMap((line, index) => {
    if (/^\s*(?:#|\/\/|\*)/.test(line)) return [];
    const client = known.find(({ runs, says }) =>
      commandsOf(line).some((command) => runs.test(command) && (says?.test(command) ?? true)),
    );
    return client === undefined ? [] : [{ line: at.from + index, sentence: say.CLIENTS[client.how] }];
  });
}

function commandsOf(line: string): readonly string[] {
  return line.split(/&&|\|\|?|;|\bthen\b/).map((part) => {
    let command = part.trim();
    for (let before = ''; before !== command; ) {
      before = command;
      command = WRAPPERS.reduce((rest, wrapper) => rest.replace(wrapper, ''), command);
    }
    return command;
  });
}
