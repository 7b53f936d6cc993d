import { readdirSync, readFileSync } from 'node:fs';
import { readCoverageFile } from '@coverage/shared/coverage-file';
import { expect, test } from 'vitest';
import { readCodecov } from './codecov-settings.ts';

const FILES = new URL('../../../../test/fixtures/codecov/', import.meta.url);
const PROJECTS = readdirSync(FILES).map((file) => file.replace(/\.yml$/, ''));
/** What has no equivalent here; undefined: the file is no YAML. All others are translated completely. */
const WITHOUT_EQUIVALENT: Readonly<Record<string, readonly string[] | undefined>> = {
  babel: undefined,
  n8n: ['bundle_analysis', 'comment.require_bundle_changes', 'comment.bundle_change_threshold'],
  'pytorch-lightning': ['parsers'],
  sentry: ['flag_management.smart-tests.carryforward_mode'],
  'sentry-javascript': ['config'],
};

const translate = (project: string) => readCodecov(readFileSync(new URL(`${project}.yml`, FILES), 'utf8'))?.file;

test.each(PROJECTS)('%s', (project) => {
  const file = translate(project);
  const made = file?.text === undefined ? undefined : readCoverageFile(Buffer.from(file.text));
  expect(made === undefined || 'file' in made, JSON.stringify(made)).toBe(true);
  expect(file?.withoutEqual).toEqual(project in WITHOUT_EQUIVALENT ? WITHOUT_EQUIVALENT[project] : []);
});

test('as many come over whole as the docs state', () => {
  const whole = PROJECTS.filter((project) => translate(project)?.withoutEqual.length === 0).length;
  const said = `translates ${whole} of ${PROJECTS.length} files of well-known projects completely`;
  const docs = readFileSync(new URL('../../../../docs/coverage-yml.md', import.meta.url), 'utf8');
  expect(docs.replace(/\s+/g, ' ')).toContain(said);
});
