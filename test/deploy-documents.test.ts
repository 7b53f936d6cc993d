import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const ARCHIVE = 'test/e2e/archive.slow.test.ts';
const STRANGER = 'test/e2e/stranger.slow.test.ts';
const NO_SYSTEMD = 'no machine of the tests is run by systemd, and it would need root';
const NO_ENGINE = 'no machine of the tests needs a container engine';

type Reason = { readonly untried: string };
type Row = readonly [command: RegExp, test: string, ...words: readonly string[]] | readonly [command: RegExp, Reason];

/** Each command of a page: what runs it, with words of it that stand there, or why nothing does. */
const COMMANDS: readonly Row[] = [
  [/^tar -xzf /, STRANGER, 'docs/quickstart.md', "'1. Get it'"],
  [/\.\/coverage-service( |$)/, ARCHIVE, "'token'", "'user'", "'restore'", "'doctor'", '--help'],
  [/^npm run package$/, ARCHIVE, 'makeArchive'],
  [/^(gh (release|attestation) |curl -fsS \S+\/cli\.mjs -o cli\.mjs$)/, { untried: 'a release is on GitHub alone' }],
  [/^sha256sum --check --ignore-missing /, ARCHIVE, "'sha256sum --check --ignore-missing SHA256SUMS'"],
  [/^sha256sum -c /, ARCHIVE, "'sha256sum', ['-c'"],
  [/^cd /, { untried: 'it only names a folder' }],
  [/^rm -rf \/(opt\/coverage-service|var\/lib\/coverage-service) \//, { untried: NO_SYSTEMD }],
  [/^curl -X DELETE /, 'test/http/repos.test.ts', "'DELETE'"],
  [/^rm -rf \/opt\/coverage-service\/bin /, { untried: 'the tests unpack into a new folder' }],
  [
    /^(useradd|mkdir|cp|install|echo|ln|chgrp|chmod|systemctl|journalctl|systemd-run|runuser|userdel) /,
    { untried: NO_SYSTEMD },
  ],
  [/^(export COVERAGE_HOST|docker) ?/, { untried: NO_ENGINE }],
  [/^kubectl /, { untried: 'no machine of the tests has a cluster' }],
  [/^helm uninstall /, { untried: 'no machine of the tests has a cluster' }],
  [/^helm install /, { untried: 'helm template makes the same of the chart, in test/e2e/deploy.slow.test.ts' }],
  [/^(COVERAGE_HOST=\S+ caddy run|nginx -t)/, 'test/e2e/deploy.slow.test.ts', 'caddy', 'nginx'],
  [
    /^(export COVERAGE_ENDPOINT=|TOKEN=|node coverage\.mjs report)/,
    STRANGER,
    "quickstart('2. Start it'",
    "'5. Add a repo'",
    "'Without an address that GitHub can reach'",
  ],
  [/^curl -fsS \S+\/cli\.mjs -o coverage\.mjs$/, STRANGER, "'Without an address that GitHub can reach'"],
  [/^node coverage\.mjs check$/, 'test/http/check-command.test.ts', "['check']"],
  [/^coverage report --parallel --job-flag=unit$/, 'test/e2e/command.test.ts', "'report'", "'-j'"],
  [/^coverage done$/, 'test/e2e/command.test.ts', "'done'"],
  [/^curl .*-F json_file=@/, 'test/browser/api-token.test.ts', 'json_file', '/api/v1/jobs'],
  [/^(mkdir -p \.github|cp \.\.\/coverage-service)/, 'test/e2e/action-copy.test.ts', 'docs/action.md'],
  [/^git (remote add|push) ours /, 'test/e2e/action-copy.test.ts', 'git@github.com:your-organization'],
  [/^npm ci( |$)/, '.ci/run', 'npm ci'],
  [/^npm ci && npm run build$/, 'scripts/ensure-built.mjs', "'npm'", "'build'"],
  [/^npm ci && npm test/, '.ci/run', 'npm test'],
  [/^npm ci && npm run demo/, '.ci/run', 'npm run demo'],
  [/^(?:[A-Z_]+=(?:\$\([^)]*\)|\S+) )*npm start$/, 'test/e2e/npm-start.slow.test.ts', "'npm', ['start']"],
  [/^export (SECRET_KEY|COVERAGE_SERVER)=/, { untried: 'it only sets variables' }],
  [/^npm run repos -- apply /, 'test/e2e/repos-command.test.ts', "'apply'", "'--dry-run'"],
  [/^npm run repos -- webhooks /, 'test/http/gitlab.test.ts', "'webhooks'", "run('gitlab')"],
  [/^npm run user -- create /, 'test/http/user-command.slow.test.ts', "'create', '--user'"],
  [/^npm run user -- erase /, 'test/http/user-command.slow.test.ts', "['erase', 'erna', '--email'"],
  [/^npm run token -- create /, 'test/http/token-command.slow.test.ts', "'create', '--user'", "'--role'"],
  [/^npm run rotate -- --/, 'test/e2e/lost-key.slow.test.ts', "'--lost'", "'--repo'", "'--all', '--yes'"],
  [/^npm run audit -- export /, 'test/http/audit-command.test.ts', "'export'", "'--since'"],
  [/^npm run gc( |$)/, 'test/http/retention.test.ts', 'npm run gc', "'--dry-run'"],
  [/^npm run doctor( |$)/, 'test/e2e/doctor.slow.test.ts', 'npm run doctor', "'--json'"],
  [/^npm run backup -- --to /, 'test/e2e/backup.slow.test.ts', "run('backup', ['--to'"],
  [
    /^(?:DATABASE_URL=\S+ )?npm run restore -- (?:--make-database\s+)?--from /,
    'test/e2e/backup.slow.test.ts',
    "run('restore', ['--from'",
  ],
  [/^npm run copy-store -- --from /, 'test/contract/copy-store-command.slow.test.ts', "'--from'", "'--to'"],
  [/^npm run export -- --repo /, 'test/e2e/export-import.slow.test.ts', "run('export', from, '--repo'", "'--to'"],
  [
    /^npm run import -- --from /,
    'test/e2e/export-import.slow.test.ts',
    "run('import', there, '--from', first, '--dry-run'",
  ],
  [/^node coverage\.mjs import-history --from=codecov .*--dry-run$/, 'test/http/import-history.test.ts', "'--dry-run'"],
  [
    /^node coverage\.mjs import-history --from=(codecov|gocov|folder) --in=/,
    'test/http/import-history-sources.test.ts',
    "'--from=codecov', '--in=old'",
    "'--from=gocov', '--in=old'",
    "'--from=folder', '--in=old', '--flags'",
  ],
  [/^(gh run list |while read -r sha run)/, { untried: 'artifacts of runs are on GitHub alone' }],
  [/^npm run release -- --dry-run/, 'test/e2e/release.slow.test.ts', "'--dry-run'", "'--platform'"],
  [/^npm run demo -- --mongodb /, '.ci/run', 'npm run demo -- --once --mongodb auto --instances 2'],
  [/^curl .*"https:\/\/coverage\.example\/readyz\?verbose"/, 'test/http/doctor.test.ts', '/readyz?verbose'],
  [/^curl .*https:\/\/coverage\.example\/api\/v1\/repos$/, STRANGER, "'5. Add a repo'"],
  [/^npx vitest run --project http test\/http\/clients$/, 'vitest.config.ts', "'test/http/**/*.test.ts'"],
  [/^(REQUIRE_CLIENTS=1 )?npx vitest run --project slow test\/e2e\/real-clients$/, '.ci/run', 'REQUIRE_CLIENTS=1'],
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];
const pages = PAGES.map((path) => [path, read(path)]);
const commands = pages.flatMap(([, text = '']) =>
  [...text.matchAll(/^ *```(?:sh|bash|console)\n(.*?)^ *```$/gms)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', '')
      .split('\n')
      .map((line) => line.replace(/ # .*/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
);

test('every command of the pages is run by a test, or is a known exception', () => {
  expect(commands.length).toBeGreaterThan(80);
  expect(commands.filter((line) => !COMMANDS.some(([pattern]) => pattern.test(line)))).toEqual([]);
  expect(COMMANDS.filter(([pattern]) => !commands.some((line) => pattern.test(line)))).toEqual([]);
});

test('what is said to run a command has its words', () => {
  const missing = COMMANDS.flatMap(([, by, ...words]) => {
    if (typeof by !== 'string') return by.untried === '' ? ['a reason'] : [];
    const text = read(by);
    return words.length === 0 ? [`words of ${by}`] : words.filter((word) => !text.includes(word));
  });
  expect(missing).toEqual([]);
});

test('what they name is there: files of deploy/, and values of the chart', () => {
  const named = pages.flatMap(([, text = '']) => [...text.matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path));
  expect(new Set(named).size).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const values = readFileSync(join(root, 'deploy/helm/coverage-service/values.yaml'), 'utf8');
  for (const name of ['baseUrl', 'existingSecret', 'database', 'replicas', 'env', 'ingress', 'resources'])
    expect(values).toMatch(new RegExp(`^${name}:`, 'm'));
});
