import { expect, test } from 'vitest';
import { readCodecov } from '../action/src/command/migrate/codecov-settings.ts';
import { readSetting } from '../server/src/cli/repos-file/wanted-settings.ts';

const EVERYTHING = `
codecov: { branch: develop }
comment: { require_changes: true }
github_checks: { annotations: false }
coverage:
  status:
    project:
      default: { target: auto, threshold: 1%, informational: true }
      web: { target: 60, flags: [web] }
    patch: { default: { target: auto } }
`;
const NOTHING = `
comment: false
coverage: { status: { project: off, patch: { default: { target: 70 } } } }
`;

test('the server knows and takes every setting that migrate makes of a codecov.yml', () => {
  const made = [EVERYTHING, NOTHING].flatMap((text) => Object.entries(readCodecov(text)?.settings ?? {}));
  expect(new Set(made.map(([name]) => name)).size).toBe(12);
  for (const [name, value] of made) expect(Object.keys(readSetting(name, value)), name).toHaveLength(1);
});
