import { readFile } from 'node:fs/promises';
import { readCoverageFile } from '@coverage/shared/coverage-file';
import { expect, test } from 'vitest';
import { CODECOV_FILES, type CodecovFile } from '../../../../test/support/codecov-files.ts';
import { readCodecov } from './codecov-settings.ts';

/**
 * What known projects write into their codecov.yml, in our words: the keys that each has and the values that decide, of
 * long lists a few. The last column is what has no equivalent here; empty: the whole file is translated.
 */
const PROJECTS: readonly CodecovFile[] = [
  ...CODECOV_FILES,
  [
    'airflow',
    `codecov: { branch: main, max_report_age: 6h, require_ci_to_pass: true,
  notify: { wait_for_ci: false, after_n_builds: 10 } }
coverage:
  precision: 1
  round: down
  range: 65..90
  status:
    project: { default: { target: auto, threshold: 0%, base: auto, paths: [airflow], branches: [main, v2-9-test],
      if_not_found: success, if_ci_failed: error, informational: true, only_pulls: false } }
    patch: { default: { target: auto, threshold: 0%, base: auto, branches: [main, v2-9-test], if_no_uploads: error,
      if_not_found: success, if_ci_failed: error, only_pulls: false, paths: [airflow] } }
ignore: [airflow/_vendor, airflow/providers/**/example_dags]
comment: false`,
    [],
  ],
  [
    'aiohttp',
    `codecov: { branch: master, notify: { after_n_builds: 13 } }
comment: { layout: "header, diff", require_base: false, require_head: false }
coverage: { range: 95..100, status: { project: no } }
flags: { library: { paths: [aiohttp/] }, configs: { paths: [requirements/, ".git*", "*.toml"] } }`,
    [],
  ],
  [
    'argo-workflows',
    `codecov: { notify: { after_n_builds: 2 } }
comment: { after_n_builds: 2 }
ignore: ["**/*.pb.go", "**/*_test.go", "pkg/client/.*", "vendor/.*"]
flags: { unit-tests: { carryforward: true }, unit-tests-windows: { carryforward: true } }
coverage: { status: { patch: off, project: { default: { threshold: 2 } } } }`,
    [],
  ],
  ['astropy', 'comment: off\ncoverage: { status: { project: { default: { target: auto, threshold: 0.02% } } } }', []],
  [
    'dask',
    `codecov: { require_ci_to_pass: yes, notify: { after_n_builds: 24 } }
coverage:
  { precision: 2, round: down, range: 88...100,
    status: { project: { default: { target: 88%, threshold: 1% } }, patch: no, changes: no } }
comment: off`,
    [],
  ],
  [
    'envoy gateway',
    `codecov: { require_ci_to_pass: false }
github_checks: false
comment: { layout: "diff,files" }
coverage: { status: { project: { default: { target: auto, threshold: 5% } } } }`,
    [],
  ],
  [
    'etcd',
    `codecov: { token: 00000000-0000-0000-0000-000000000000, disable_default_path_fixes: true }
fixes: ["go.etcd.io/etcd/api/v3/::api/", "go.etcd.io/etcd/etcdctl/v3/::etcdctl/"]
ignore: ["**/*.pb.go", "tests/**/*", "go.etcd.io/etcd/tests/**/*"]`,
    [],
  ],
  [
    'gin',
    `coverage:
  require_ci_to_pass: true
  status:
    project: { default: { target: 99%, threshold: 1%, base: auto } }
    patch: { default: { target: 99%, threshold: 95% } }`,
    [],
  ],
  [
    'home-assistant',
    `codecov: { branch: dev }
coverage:
  status:
    project:
      default: { target: auto, threshold: 0.09 }
      required: { target: auto, threshold: 1, paths: [homeassistant/components/*/config_flow.py] }
    patch:
      default: { target: auto }
      required: { target: 100, threshold: 0, paths: [homeassistant/components/*/config_flow.py] }
comment: { layout: "condensed_header, condensed_files", behavior: once }
flag_management:
  default_rules: { carryforward: false }
  individual_flags: [{ name: full-suite, paths: [".*"], carryforward: true }]`,
    [],
  ],
  [
    'jaeger',
    `codecov: { notify: { require_ci_to_pass: yes, after_n_builds: 11 }, strict_yaml_branch: main }
ignore: ["**/*.pb.go", "proto-gen/*/*", "**/main.go"]
coverage:
  { precision: 2, round: down, range: 95...100,
    status: { project: { default: { enabled: yes, target: 94.4% } },
      patch: { default: { enabled: yes, target: 95% } } } }`,
    [],
  ],
  [
    'keras',
    `coverage: { status: { project: { default: { target: auto } }, patch: { default: "target:auto" } } }
comment: { layout: "header, reach", behavior: default, require_changes: no, require_base: no, require_head: yes,
  show_carryforward_flags: yes }
flag_management:
  default_rules: { carryforward: false, statuses: [{ type: project, target: auto }, { type: patch, target: auto }] }
  individual_flags:
    - { name: keras, paths: [keras] }
    - { name: keras.applications, paths: [keras/applications], carryforward: true }`,
    [],
  ],
  [
    'lotus',
    `ignore:
  ["^.*_gen.go$", "^.*/mock_full.go$", "^chain/actors/builtin/[^/]*/(message|state|v)[0-4]\\\\.go$", "gen/**"]
coverage:
  status:
    patch: off
    project:
      threshold: 1%
      tools-and-tests: { target: auto, threshold: 1%, informational: true, paths: [tools, gen] }
      miner: { target: auto, threshold: 1.5%, informational: false, paths: [miner, storage] }`,
    [],
  ],
  [
    'n8n',
    `codecov: { max_report_age: off, require_ci_to_pass: true }
bundle_analysis: { status: warning, warning_threshold: 1% }
comment: { require_bundle_changes: bundle_increase, bundle_change_threshold: 50Kb,
  require_changes: "coverage_drop OR uncovered_patch" }
coverage: { status: { patch: false, project: { default: { threshold: 0.5, flags: [nightly-full] } } } }
github_checks: { annotations: false }
flags: { backend-unit: { carryforward: true }, nightly-full: { carryforward: true } }
component_management:
  default_rules: { statuses: [{ type: project, target: auto, branches: ["!master"] }] }
  individual_components:
    - { component_id: backend_packages, name: Backend, paths: [packages/cli/**, packages/core/**] }
    - component_id: nodes_packages
      name: Nodes
      paths: [packages/nodes-base/**]
      statuses: [{ type: project, target: auto, threshold: 0% }]
ignore:
  - (?s:.*/[^\\/]*\\.spec\\.ts.*)\\Z
  - (?s:.*/__tests__/.*)\\Z
  - (?s:.*/[^\\/]*\\.stories\\.(ts|vue).*)\\Z
  - (?s:.*/migrations/(postgresdb|sqlite|mysqldb)/.*\\.ts.*)\\Z`,
    ['bundle_analysis', 'comment.require_bundle_changes', 'comment.bundle_change_threshold'],
  ],
  [
    'nextcloud',
    `codecov: { branch: stable34, ci: [drone.nextcloud.com, "!scrutinizer-ci.com"] }
comment: false
coverage: { status: { project: off, patch: off } }`,
    [],
  ],
  ['node', 'comment: false\ncodecov: { notify: { after_n_builds: 2 } }', []],
  [
    'numpy',
    `codecov: { ci: [!appveyor ''] }
coverage: { status: { project: { default: { target: 1 } }, patch: false, changes: false } }
comment: off
ignore: ["**/setup.py"]`,
    [],
  ],
  [
    'opentelemetry-collector',
    `codecov: { notify: { require_ci_to_pass: yes }, strict_yaml_branch: main }
coverage:
  { precision: 2, round: down, range: 80...100,
    status: { project: { default: { enabled: yes, target: 90% } }, patch: { default: { enabled: yes, target: 95% } } } }
ignore: ["**/*/metadata/generated_metrics.go", "testbed/**/*"]`,
    [],
  ],
  [
    'pandas',
    `codecov: { branch: master }
coverage:
  status: { project: { default: { enabled: no, target: '82' } }, patch: { default: { enabled: no, target: '50' } } }`,
    [],
  ],
  [
    'pytest',
    `codecov: { notify: { after_n_builds: 6 } }
coverage: { status: { project: true, patch: true, changes: true } }
comment: off`,
    [],
  ],
  [
    'pytorch-lightning',
    `codecov: { notify: { require_ci_to_pass: yes } }
coverage:
  precision: 0
  round: nearest
  range: 40...100
  status:
    project: { default: { against: auto, target: 99%, threshold: 20%, if_ci_failed: error } }
    patch: { default: { against: auto, target: 40% } }
    changes: false
parsers: { gcov: { branch_detection: { conditional: true } }, javascript: { enable_partials: false } }
comment: { layout: "header, diff", require_changes: false, behavior: default }
ignore: [pytorch_lightning/utilities/arg_parse.py, null]`,
    ['parsers'],
  ],
  [
    'sentry',
    `coverage:
  status:
    project: "off"
    patch:
      frontend: { only_pulls: true, informational: false, target: 60%, flags: [frontend] }
      backend: { only_pulls: true, informational: false, target: 90%, flags: [backend] }
  ignore: [src/*/migrations/, tests/]
component_management:
  individual_components:
    - { component_id: profiling_views, name: Profiling Views, paths: [static/app/views/profiling/**] }
flags:
  frontend: { paths: [static/app/], carryforward: true, after_n_builds: 4 }
  backend: { paths: [src/sentry/**/*.py], carryforward: true, after_n_builds: 18 }
comment: { after_n_builds: 22, layout: "diff, files", behavior: default, require_changes: true, require_base: true,
  require_head: true }
flag_management:
  individual_flags:
    - { name: smart-tests, carryforward: true, carryforward_mode: labels, statuses: [{ type: patch, enabled: false }] }
cli: { plugins: { pycoverage: { report_type: json } } }`,
    ['flag_management.smart-tests.carryforward_mode'],
  ],
  [
    'sentry-javascript',
    `comment: false
coverage:
  { status: { project: { default: { enabled: false } }, patch: { default: { informational: true } } },
    ignore: [packages/deno/**] }
config: { files: changed }`,
    ['config'],
  ],
  [
    'superset',
    `codecov: { notify: { after_n_builds: 4 } }
ignore: ["superset/migrations/versions/*.py", "**/*.stories.tsx"]
coverage:
  status:
    project:
      default: { informational: true, target: auto, threshold: 0% }
      core-packages-ts: { target: 95%, paths: [superset-frontend/packages, "!superset-frontend/packages/**/*.tsx"] }
    patch: { default: { informational: true, threshold: 0% } }
flag_management: { default_rules: { carryforward: true } }`,
    [],
  ],
  [
    'vitess',
    `codecov: { branch: main }
parsers: { go: { partials_as_hits: true } }
ignore: ["go/test/endtoend/**", "go/vt/proto/**"]
github_checks: { annotations: false }
comment: { hide_project_coverage: false }
coverage:
  { status: { patch: { default: { informational: true } }, project: { default: { informational: true } } } }`,
    [],
  ],
];

test.each(PROJECTS)('%s', (_, text, withoutEqual) => {
  const file = readCodecov(text)?.file;
  const made = file?.text === undefined ? undefined : readCoverageFile(Buffer.from(file.text));
  expect(made === undefined || 'file' in made, JSON.stringify(made)).toBe(true);
  expect(file?.withoutEqual).toEqual(withoutEqual);
});

test('as many come over whole as the docs state', async () => {
  const whole = PROJECTS.filter(([, text]) => readCodecov(text)?.file?.withoutEqual.length === 0).length;
  const said = `translates ${whole} of ${PROJECTS.length} files of well-known projects completely`;
  const docs = await readFile(new URL('../../../../docs/coverage-yml.md', import.meta.url), 'utf8');
  expect(docs.replace(/\s+/g, ' ')).toContain(said);
});
