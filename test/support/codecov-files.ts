/** A project, the keys and values that decide in its codecov.yml, what has no equal here; undefined: it is no YAML. */
export type CodecovFile = readonly [project: string, text: string, withoutEqual: readonly string[] | undefined];

/** What known projects write into their codecov.yml, in our words; of long lists a few. */
export const CODECOV_FILES: readonly CodecovFile[] = [
  ['actix-web', both('{ default: { threshold: 100% } }', 'ignore: ["**/tests", "**/benches"]\ncomment: false'), []],
  ['ansible', 'coverage: { status: { project: no, patch: no, changes: no } }\ncomment: no', []],
  [
    'argo-cd',
    `ignore: ["**/*.pb.go", "**/*generated*.go", "pkg/apis/client/.*", "test/.*"]
coverage: { status: { patch: { default: { threshold: 10 } }, project: { default: { threshold: 1 } } } }`,
    [],
  ],
  [
    'babel',
    `coverage:
  parsers:
    javascript:
      enable_partials: 'yes
  status:
    patch:
      enabled: 'false`,
    undefined,
  ],
  [
    'codecov umbrella',
    `flag_management:
  default_rules:
    carryforward: true
    statuses: [{ type: project, target: auto, threshold: 1 }, { type: patch, target: 90 }]
component_management:
  individual_components:
    - { component_id: worker, name: worker, paths: [apps/worker/**] }
    - { component_id: shared, name: shared, paths: [libs/shared/**] }
codecov: { require_ci_to_pass: false, notify: { wait_for_ci: false } }`,
    [],
  ],
  [
    'cosmos-sdk',
    `coverage:
  precision: 2
  round: down
  range: "70...100"
  status:
    project: { default: { target: auto, threshold: 0.5%, informational: false, if_ci_failed: error } }
    patch: { default: { target: auto, threshold: 0.5%, informational: false, if_ci_failed: error } }
comment: { layout: "reach,diff", behavior: default, require_changes: false, require_base: false, require_head: true }
ignore: ["**/*_test.go", "tests/**", "test_helpers.go", "**/mock*.go"]
flags:
  unittests: { paths: ["!tests/integration/", "!tests/e2e/"], carryforward: true }
  integration: { paths: ["tests/integration/"], carryforward: true }
parsers: { go: { partials_as_hits: true } }`,
    [],
  ],
  ['deno std', `comment: false\ncodecov: { require_ci_to_pass: true }\n${off()}`, []],
  [
    'docker cli',
    `comment: { layout: "header, changes, diff, sunburst" }
coverage:
  status:
    patch: { default: { target: 50%, only_pulls: true } }
    project: { default: { target: auto, threshold: "15%" } }
    changes: false
ignore: ["**/internal/test", "vendor/*", "cli/compose/schema/bindata.go", ".*generated.*"]
codecov: { ci: [app.harness.io] }`,
    [],
  ],
  [
    'dubbo',
    `codecov: { require_ci_to_pass: false, notify: { wait_for_ci: false } }
coverage: { status: { patch: { default: { threshold: 0.1% } } } }
ignore: ["**/dubbo-demo/**", "**/dubbo-common/src/main/java/org/apache/dubbo/common/json/*.java"]`,
    [],
  ],
  ['edx-platform', 'coverage: { status: { patch: false, project: { default: { target: 90%, threshold: 10% } } } }', []],
  [
    'grpc-java',
    `coverage:
  status: { patch: { default: { target: '80' } }, project: { default: { target: auto, threshold: 1 } } }
comment: off`,
    [],
  ],
  [
    'luigi',
    `codecov: { require_ci_to_pass: yes, notify: { after_n_builds: 24, wait_for_ci: yes } }
coverage:
  precision: 2
  round: down
  range: "50...70"
  status:
    project: { default: false, core: { target: 90%, paths: ["luigi/*.py"] } }
    patch: { default: { target: 50%, if_no_uploads: error } }
    changes: true
  ignore: ["examples/", "luigi/tools", "luigi/contrib/gcs.py"]
comment: false`,
    [],
  ],
  [
    'machinelearning',
    `coverage: { status: { project: { default: false }, patch: { default: false } }, fixes: ["build/::/"] }
comment: { layout: "diff, flags, files" }
flags: { production: { paths: [src/] }, test: { paths: [test/] } }
codecov: { token: 00000000-0000-0000-0000-000000000000 }`,
    [],
  ],
  ['material-ui', 'coverage: { status: { patch: false, project: { default: { target: false } } } }', []],
  [
    'matplotlib',
    `comment: false
ignore: [doc/, galleries/]
codecov: { notify: { require_ci_to_pass: no, threshold: 1% } }
coverage:
  status:
    patch: { default: { target: 50%, if_no_uploads: error, if_not_found: success, if_ci_failed: failure } }
    project:
      default: false
      library: { target: 50%, if_no_uploads: error, if_not_found: success, paths: ['!lib/.*/tests/.*'] }
      tests: { target: auto, if_no_uploads: error, if_ci_failed: failure, paths: ['lib/.*/tests/.*'] }`,
    [],
  ],
  [
    'mne',
    `comment: false
github_checks: { annotations: false }
codecov: { notify: { require_ci_to_pass: false } }
coverage:
  status:
    patch: { default: { informational: true, target: 95%, if_no_uploads: error, if_not_found: success } }
    project: { default: false, library: { informational: true, target: 90%, if_ci_failed: failure } }`,
    [],
  ],
  [
    'moby',
    `comment: false
github_checks: { annotations: false }
coverage:
  status:
    patch: { default: { target: 50%, only_pulls: true } }
    project: { default: { target: auto, threshold: "15%" } }
    changes: false
ignore: ["vendor/**/*"]`,
    [],
  ],
  [
    'optimism',
    `comment: false
ignore: [l2geth, "**/*.t.sol", "packages/contracts-bedrock/contracts/(vendor|libraries)/(trie|rlp)"]
flag_management: { individual_flags: [{ name: bedrock-go-tests }, { name: contracts-bedrock-tests }] }`,
    [],
  ],
  ['powershell', 'fixes: ["master/Powershell-master::"]', []],
  [
    'rxjava',
    `coverage:
  project: { default: { target: 95%, threshold: 1% } }
  patch: { default: { target: 95%, threshold: 1% } }
  status: { changes: no }`,
    [],
  ],
  ['scrapy', 'comment: { layout: "header, diff, tree" }\ncoverage: { status: { project: false } }', []],
  ['sympy', 'coverage: { status: { project: { default: { target: 0, threshold: 100 } } } }', []],
  ['synapse', `comment: off\n${both('{ default: { target: 0, threshold: null, base: auto } }')}`, []],
  [
    'thanos',
    both(
      '{ default: { informational: true } }',
      'codecov: { require_ci_to_pass: false }\nignore: ["**/*.pb.go", internal/cortex]',
    ),
    [],
  ],
  [
    'webpack',
    `codecov: { branch: main }
coverage:
  precision: 2
  round: down
  range: "70...100"
  status:
    project: { default: { flags: [unit, integration], target: auto } }
    patch: { default: { flags: [unit, integration], target: 90%, base: pr } }
    changes: { default: { flags: [unit, integration] } }
comment: off`,
    [],
  ],
  [
    'zap',
    `coverage:
  range: 80..100
  round: down
  precision: 2
  status: { project: { default: { enabled: yes, target: auto, if_not_found: success, if_ci_failed: error } } }
ignore: [internal/readme/readme.go]`,
    [],
  ],
  [
    'zulip',
    'comment: off\ncoverage: { status: { project: { default: { target: auto, threshold: null, base: auto } } } }',
    [],
  ],
];

function both(status: string, more = ''): string {
  return `coverage: { status: { project: ${status}, patch: ${status} } }\n${more}`;
}

function off(): string {
  return both('off');
}
