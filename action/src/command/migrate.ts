import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILE_PLACES } from '@coverage/shared/coverage-file';
import { isMap } from 'yaml';
import { ActionFailure } from '../runner/failure.ts';
import { typedPath } from './local-reports.ts';
import { nameClients } from './migrate/clients-in-commands.ts';
import { readCodecov } from './migrate/codecov-settings.ts';
import type { CodecovSettings, FileMigration, Migration, Note } from './migrate/file-migration.ts';
import { CI_FILES, migrateCiFile } from './migrate/migrate-ci-file.ts';
import { type Destination, migrateWorkflow } from './migrate/migrate-workflow.ts';
import { describeMigration } from './migrate/show-migration.ts';
import { applyEdits, type Edit, lineAt, pairOf, readYaml, removePair, startOf } from './migrate/text-edits.ts';
import { type Arguments, type Command, EXIT, type Shell } from './shell/command.ts';

/** A `.coveralls.yml`: the token goes, since it is of the other service, and the address is the CI's to say. */
export function migrateCoverallsFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const edits: Edit[] = [];
  const notes: Note[] = [{ sentence: endpointOfCi(server) }];
  const remove = (key: string, sentence: string): void => {
    const pair = pairOf(root, key);
    if (pair === undefined) return;
    edits.push(removePair(text, pair));
    notes.push({ line: lineAt(text, startOf(pair.key)), sentence });
  };
  remove('endpoint', 'endpoint goes: no token of the CI is sent to an address in this file.');
  for (const key of ['repo_token', 'repo_secret_token'])
    remove(
      key,
      `${key} is removed: it is the token of the other service. Give the new one to CI as COVERALLS_REPO_TOKEN.`,
    );
  return { path, text, changed: applyEdits(text, edits), notes };
}

/** Said of .coveralls.yml. */
function endpointOfCi(server: string): string {
  return (
    'The URL belongs in the settings of the CI, because any pull request can change this file: set ' +
    `COVERAGE_ENDPOINT to ${server} where ` +
    'the token is set, and COVERALLS_ENDPOINT for other clients.'
  );
}

const CODECOV_FILES = ['codecov.yml', '.codecov.yml', 'codecov.yaml', '.codecov.yaml'] as const;
/** Where Codecov looks for its file. */
const CODECOV_FOLDERS = ['', '.github', 'dev'] as const;

/** Says, or does, what a repo changes that comes from Coveralls or Codecov. */
export const migrate: Command = {
  name: 'migrate',
  summary: 'show what to change in a repo that moves here from Coveralls or Codecov',
  usage: '[options] [file...]',
  explanation:
    'Reads .github, the files of other CIs, .coveralls.yml and codecov.yml in this folder, or the files that you\n' +
    'name, and prints what to change. With --write, it changes all of them except codecov.yml, and keeps the rest\n' +
    'as it is, comments included. The settings of codecov.yml are printed as the settings of a repo here.\n' +
    'Nothing is sent.',
  examples: [
    ['migrate --server=https://coverage.example', 'Show what to change, with as few changes as possible.'],
    [
      'migrate --server=https://coverage.example --action=acme/coverage-service@v1 --write',
      'Change the workflows to use that action.',
    ],
  ],
  options: [
    {
      name: 'server',
      aliases: ['endpoint', 'server-url'],
      value: 'url',
      summary: 'URL of the server that the repo moves to',
    },
    {
      name: 'action',
      value: 'action',
      summary: 'the action that workflows use then; without it, steps of coverallsapp/github-action keep theirs',
    },
    { name: 'write', short: 'w', summary: 'change the files' },
    { name: 'json', summary: 'everything as JSON' },
  ],
  async run(given, shell) {
    const found = readMigration(given, shell);
    const changes = found.files.filter(({ text, changed }) => text !== changed);
    const writes = given.isOn('write');
    if (writes) for (const { path, changed } of changes) writeText(typedPath(path, shell), changed);
    for (const warning of found.warnings) shell.say(warning);
    if (given.isOn('json')) shell.print(`${JSON.stringify(toJson(found), undefined, 2)}\n`);
    else shell.print(describeMigration(found, { isWritten: writes, changes: changes.length }));
    return EXIT.good;
  },
};

function readMigration(given: Arguments, shell: Shell): Migration {
  const server = given.text('server') ?? shell.env.COVERAGE_ENDPOINT ?? 'https://coverage.example';
  const to = { server: server.replace(/\/$/, ''), action: given.text('action') };
  const named = given.operands;
  const files: FileMigration[] = [];
  const codecov: (CodecovSettings & { readonly path: string })[] = [];
  const warnings: string[] = [];
  for (const path of named.length > 0 ? named : knownFiles(shell.folder)) {
    const text = readText(path, shell);
    const name = basename(path);
    if (text === undefined) {
      if (named.length > 0) throw new ActionFailure('bad-input', `There is no file ${path}.`);
      continue;
    }
    if (CODECOV_FILES.some((one) => one === name)) {
      const settings = readCodecov(text);
      if (settings === undefined) warnings.push(notYaml(path));
      else {
        codecov.push({ path, ...settings });
        files.push(...coverageFileOf(path, settings, shell));
      }
      continue;
    }
    const read =
      name === '.coveralls.yml' ? migrateCoverallsFile(path, text, to.server) : migrateFileOfCi(path, text, to);
    if (read === undefined) warnings.push(notYaml(path));
    else if (read.notes.length > 0) files.push(read);
  }
  return { files, codecov, warnings };
}

/** What was of Codecov, as the repo's own file; one that exists already stays as it is. */
function coverageFileOf(from: string, { file }: CodecovSettings, shell: Shell): readonly FileMigration[] {
  const [path] = FILE_PLACES;
  if (file?.text === undefined) return [];
  const text = readText(path, shell) ?? '';
  const changed = text === '' ? file.text : text;
  const sentence =
    text === ''
      ? `A new file that says what ${from} says. It overrides the settings of the repo, so you need only one of ` +
        'the two.'
      : `It exists already and is not changed: what ${from} says is not in it.`;
  return [{ path, text, changed, notes: [{ sentence }] }];
}

/** Steps that use an action first, then the jobs that run a client. */
function migrateFileOfCi(path: string, text: string, to: Destination): FileMigration | undefined {
  if (basename(path) === 'Jenkinsfile') return namedClients(path, text);
  const read = migrateWorkflow(path, text, to);
  if (read === undefined) return undefined;
  const changed = migrateCiFile(path, read.changed, to.server)?.changed ?? read.changed;
  // Lines are those of the file as it is.
  const more = migrateCiFile(path, text, to.server)?.notes ?? [];
  return { path, text, changed, notes: [...read.notes, ...more] };
}

/** A text that is no YAML. */
function namedClients(path: string, text: string): FileMigration {
  return { path, text, changed: text, notes: nameClients(text, { from: 1, byVariable: true }) };
}

/** Those that may be there. */
function knownFiles(folder: string): readonly string[] {
  const workflows = join('.github', 'workflows');
  return [
    ...namesIn(join(folder, workflows))
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => join(workflows, name)),
    ...compositeActions(folder),
    ...CI_FILES,
    'Jenkinsfile',
    '.coveralls.yml',
    ...CODECOV_FOLDERS.flatMap((inside) => CODECOV_FILES.map((name) => join(inside, name))),
  ];
}

/** In folders of any depth. */
function compositeActions(folder: string): readonly string[] {
  const actions = join('.github', 'actions');
  return namesIn(join(folder, actions), true)
    .filter((name) => /^action\.ya?ml$/.test(basename(name)))
    .map((name) => join(actions, name));
}

function namesIn(folder: string, recursive = false): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' }).sort();
  } catch {
    return [];
  }
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readText(path: string, shell: Shell): string | undefined {
  try {
    return readFileSync(typedPath(path, shell), 'utf8');
  } catch {
    return undefined;
  }
}

function toJson({ files, codecov, warnings }: Migration) {
  return {
    files: files.map(({ path, notes, text, changed }) => ({ path, notes, ...(text === changed ? {} : { changed }) })),
    codecov,
    warnings,
  };
}

function notYaml(path: string): string {
  return `${path} is not valid YAML; it stays as it is.`;
}
