import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const ARCHIVE = 'test/e2e/archive.slow.test.ts';
const STRANGER = 'test/e2e/stranger.slow.test.ts';
const NO_SYSTEMD = 'no machine of the tests is run by systemd, and it would need root';
const NO_ENGINE = 'no machine of the tests needs a container engine';

/** Each command of these pages: the test that runs it, or why none does. */
const COMMANDS: readonly (readonly [command: RegExp, test: string | { readonly untried: string }])[] = [
  [/^tar -xzf /, ARCHIVE],
  [/\.\/coverage-service( |$)/, ARCHIVE],
  [/^npm run package$/, ARCHIVE],
  [/^sha256sum -c /, { untried: 'the test computes the digest itself, and compares it with the file' }],
  [/^cd /, { untried: 'it only names a folder' }],
  [/^rm -rf \/opt\/coverage-service\/bin /, { untried: 'the tests unpack into a new folder' }],
  [/^(useradd|mkdir|cp|install|echo|systemctl|journalctl|systemd-run) /, { untried: NO_SYSTEMD }],
  [/^(export COVERAGE_HOST|docker) ?/, { untried: NO_ENGINE }],
  [/^kubectl /, { untried: 'no machine of the tests has a cluster' }],
  [/^helm install /, { untried: 'helm template makes the same of the chart, in test/e2e/deploy.slow.test.ts' }],
  [/^(COVERAGE_HOST=\S+ caddy run|nginx -t)/, 'test/e2e/deploy.slow.test.ts'],
  [
    /^(export (ADMIN_TOKEN|BASE_URL|COVERAGE_ENDPOINT)=|echo \$ADMIN_TOKEN$|TOKEN=|curl |node coverage\.mjs )/,
    STRANGER,
  ],
  [/^(mkdir -p \.github|cp \.\.\/coverage-service)/, 'test/e2e/action-copy.test.ts'],
  [/^git (remote add|push) ours /, { untried: "it needs an organisation's own repository at a git host" }],
  [/^npm ci$/, { untried: 'the tests run in a checkout where it was run' }],
  [/^(?:[A-Z_]+=(?:\$\([^)]*\)|\S+) )*npm start$/, 'test/e2e/npm-start.slow.test.ts'],
  [/^export SECRET_KEY=/, { untried: 'it only sets a variable' }],
  [/^npm run user -- create /, 'test/http/user-command.slow.test.ts'],
  [/^npm run user -- erase /, 'test/http/user-command.slow.test.ts'],
  [/^npm run token -- create /, 'test/http/token-command.slow.test.ts'],
  [/^npm run audit -- export /, 'test/http/audit-command.test.ts'],
  [/^npm run gc( |$)/, 'test/http/retention.test.ts'],
  [/^npm run doctor( |$)/, 'test/e2e/doctor.slow.test.ts'],
  [/^npm run backup -- --to /, 'test/e2e/backup.slow.test.ts'],
  [/^(?:DATABASE_URL=\S+ )?npm run restore -- --from /, 'test/e2e/backup.slow.test.ts'],
  [/^npm run copy-store -- --from /, 'test/contract/copy-store-command.slow.test.ts'],
  [/^npm run demo -- --mongodb /, { untried: 'test/e2e/whole-way.test.ts tells its scene, on SQLite' }],
  [/^curl .*"https:\/\/coverage\.example\/readyz\?verbose"/, 'test/http/doctor.test.ts'],
  [/^curl .*https:\/\/coverage\.example\/api\/v1\/repos$/, 'test/http/repos.test.ts'],
];

const DEPLOYING = ['deploy', 'upgrading', 'quickstart', 'publish-action'];
const OPERATING = ['operating', 'configuration', 'github-app', 'people', 'backup', 'mongodb', 'monitoring'];
const OTHERS = ['troubleshooting', 'limits', 'memory'];
const PAGES = [...DEPLOYING, ...OPERATING, ...OTHERS].map((name) => `docs/${name}.md`);
const pages = PAGES.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
const commands = pages.flatMap(([, text = '']) =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', '').trim().split('\n'),
  ),
);

test('every command of the pages on deploying and operating is run by a test, or is a known exception', () => {
  expect(commands.length).toBeGreaterThan(25);
  expect(commands.filter((line) => !COMMANDS.some(([pattern]) => pattern.test(line)))).toEqual([]);
  expect(COMMANDS.filter(([pattern]) => !commands.some((line) => pattern.test(line)))).toEqual([]);
  const files = COMMANDS.flatMap(([, by]) => (typeof by === 'string' ? [by] : []));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('what they name is there: files of deploy/, and values of the chart', () => {
  const named = pages.flatMap(([, text = '']) => [...text.matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path));
  expect(new Set(named).size).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const values = readFileSync(join(root, 'deploy/helm/coverage-service/values.yaml'), 'utf8');
  for (const name of ['baseUrl', 'existingSecret', 'database', 'replicas', 'env', 'ingress', 'resources'])
    expect(values).toMatch(new RegExp(`^${name}:`, 'm'));
});

test('the pages are short', () => {
  for (const [path, text = ''] of pages) expect([path, text.split(/\s+/).length < 1_500]).toEqual([path, true]);
});
