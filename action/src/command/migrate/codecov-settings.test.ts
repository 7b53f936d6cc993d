import { expect, test } from 'vitest';
import { migrateCoverallsFile } from '../migrate.ts';
import { readCodecov } from './codecov-settings.ts';

test('a codecov.yml: settings, inputs, and what has no equivalent', () => {
  const text = `
codecov:
  require_ci_to_pass: true
  branch: develop
  notify: { after_n_builds: 3, wait_for_ci: true }
coverage:
  precision: 2
  status:
    project:
      default: { target: 80%, threshold: 1%, if_ci_failed: error }
      web: { target: 60, flags: [web] }
      core: { paths: [core/] }
    patch:
      default: { target: 75.5%, threshold: 5% }
    changes: true
comment: { layout: "reach", require_changes: true }
ignore: ["**/*.test.ts", vendor]
fixes: ["/app/::backend/", "old::"]
flags:
  web: { carryforward: true, paths: [web/] }
  api: { carryforward: false }
github_checks: { annotations: false }
slack_app: true
`;
  expect(readCodecov(text)).toMatchObject({
    settings: {
      default_branch: 'develop',
      commit_status_fail_threshold: 79,
      commit_status_fail_change_threshold: null,
      flag_settings: [{ flag: 'web', minimum: 60, allowed_drop: null }],
      patch_status: true,
      patch_minimum: 70.5,
      comment_mode: 'on-change',
      annotations: false,
    },
    inputs: {
      'expected-jobs': '3',
      exclude: '**/*.test.ts vendor',
      'path-map': '/app=backend\nold=',
      carryforward: 'web',
    },
    withoutEqual: [
      'codecov.require_ci_to_pass',
      'codecov.notify.wait_for_ci',
      'coverage.precision',
      'coverage.status.project.default.if_ci_failed',
      'coverage.status.project.core',
      'coverage.status.changes',
      'comment.layout',
      'flags.web.paths',
      'slack_app',
    ],
  });
});

test('patterns that mean the same are written as ours, others are named with their line', () => {
  const text = [
    'ignore:',
    "  - '.*\\.pb\\.go$'",
    "  - '^(api|web)/gen/'",
    "  - '(?i).*mock.*'",
    "  - '!web/gen/keep.ts'",
    'fixes: ["/app/::", "::backend/", ".*/site-packages/::lib/"]',
  ].join('\n');
  const { inputs, notes = [] } = readCodecov(text) ?? {};
  expect(inputs).toEqual({ exclude: '**/*.pb.go api/gen/** web/gen/**', 'path-map': '/app=' });
  expect(notes.map(({ line, sentence }) => `${line}: ${sentence}`)).toEqual([
    expect.stringMatching(/^4: ignore: "\(\?i\)\.\*mock\.\*" is not converted: it is a regular expression /),
    expect.stringMatching(/^5: ignore: "!web\/gen\/keep\.ts" is not converted: exclude has no exceptions\./),
    expect.stringMatching(/^6: fixes: "::backend\/" is not converted: .* base-path of the action to backend\.$/),
    expect.stringMatching(/^6: fixes: "\.\*\/site-packages\/::lib\/" is not converted: path-map knows no patterns/),
  ]);
});

test.each([
  ['coverage: { status: { project: off, patch: off } }', { send_build_status: false, patch_status: false }],
  [
    'coverage: { status: { project: { default: { target: auto } } } }',
    { commit_status_fail_threshold: null, commit_status_fail_change_threshold: null, ignore_removed_code: true },
  ],
  [
    'coverage: { status: { project: { default: { target: auto, threshold: 0.5%, removed_code_behavior: off } } } }',
    { commit_status_fail_threshold: null, commit_status_fail_change_threshold: 0.5 },
  ],
  [
    'coverage: { status: { project: { default: { target: 80.3%, threshold: 0.1% } } } }',
    { commit_status_fail_threshold: 80.2, commit_status_fail_change_threshold: null },
  ],
  [
    'coverage: { status: { project: { default: { target: 5, threshold: 10 } } } }',
    { commit_status_fail_threshold: 0, commit_status_fail_change_threshold: null },
  ],
  [
    'coverage: { status: { project: { default: { threshold: 5 }, a: { flags: [a], target: 60, threshold: 2 }, ' +
      'b: { flags: [b] } } } }',
    {
      commit_status_fail_threshold: null,
      commit_status_fail_change_threshold: 5,
      ignore_removed_code: true,
      flag_settings: [
        { flag: 'a', minimum: 58, allowed_drop: 100 },
        { flag: 'b', minimum: null, allowed_drop: 0 },
      ],
    },
  ],
  ['coverage: { status: { project: { default: { enabled: false } } } }', { send_build_status: false }],
  ['coverage: { status: { patch: true } }', { patch_status: true, patch_minimum: 'base' }],
  ['coverage: { status: { patch: { default: {} } } }', { patch_status: true, patch_minimum: 'base' }],
  ['coverage: { status: { patch: { default: { target: auto } } } }', { patch_status: true, patch_minimum: 'base' }],
  [
    'coverage: { status: { patch: { default: { target: 90, informational: true } } } }',
    { patch_status: true, patch_minimum: null },
  ],
  ['comment: false', { comment_on_pull_requests: false }],
])('%s', (text, settings) => {
  expect(readCodecov(text)?.settings).toEqual(settings);
});

test('a threshold under the base of changed lines is named with its line', () => {
  const text = 'coverage:\n  status:\n    patch:\n      default:\n        target: auto\n        threshold: 5%\n';
  const { settings, notes } = readCodecov(text) ?? {};
  expect(settings).toEqual({ patch_status: true, patch_minimum: 'base' });
  expect(notes).toEqual([{ line: 6, sentence: expect.stringContaining('may be 5 points below') }]);
});

test('carryforward of all flags; no YAML, and no map', () => {
  const rules = 'flag_management: { default_rules: { carryforward: true }, individual_flags: [{ name: web }] }';
  expect(readCodecov(rules)?.inputs).toEqual({ carryforward: 'all' });
  expect([readCodecov('a: ['), readCodecov('- 1'), readCodecov('')]).toEqual([undefined, undefined, undefined]);
});

test('.coveralls.yml: token and address go, and the CI is to say the address', () => {
  const text = '# ours\nrepo_token: abc # secret\nendpoint: https://a.example\nservice_name: travis-pro\n';
  const moved = migrateCoverallsFile('.coveralls.yml', text, 'https://coverage.example');
  expect(moved?.changed).toBe('# ours\nservice_name: travis-pro\n');
  expect(moved?.notes.map(({ line }) => line)).toEqual([undefined, 3, 2]);
  expect(moved?.notes[0]?.sentence).toContain('set COVERAGE_ENDPOINT to https://coverage.example where the token is');
});
