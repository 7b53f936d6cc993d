import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, signedIn } from '../support/people.ts';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** The settings page of a repo that has rules of its own in coverage.yml. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene({ MIN_TOTAL: '70' });
  await newPerson(scene.service, 'root', true);
});
afterAll(() => scene.end());

const FILE = [
  'changes: { minimum: 80 }',
  'comment: off',
  'ignore_removed_code: true',
  'flags:',
  '  unit: { drop: 1 }',
  '',
].join('\n');

async function openSettings(settings: object) {
  const repo = await scene.repoWith({ [COVERAGE_YML]: FILE }, { 'src/a.ts': hits(85, 100) }, settings);
  const browser = await signedIn(scene.service, 'root');
  const path = `/github/${repo.name}/settings`;
  const read = async (section: string) => (await browser.get(`${path}/${section}`)).text;
  const text = await read('thresholds');
  return { browser, path, text, read, rules: `/github/${repo.name}/rules` };
}

/** An element of the page, with its attributes in any order. */
const element = (tag: string, ...attributes: readonly string[]) =>
  new RegExp(`<${tag}${attributes.map((one) => `(?=[^>]* ${one})`).join('')}[^>]*>`);

test('what the file sets is locked, with its line, and a save keeps what is stored', async () => {
  const { browser, path, text, read, rules } = await openSettings({ patch_minimum: 60 });
  expect(text).toMatch(element('input', 'id="patch_minimum"', 'disabled', 'value="80"'));
  expect(text).toMatch(element('input', 'type="hidden"', 'name="patch_minimum"', 'value="60"'));
  expect(text).toContain(`Set in <a href="${rules}#l1">coverage.yml, line 1</a>`);
  const comment = await read('comment');
  expect(comment).toMatch(element('input', 'type="radio"', 'value="never"', 'disabled', 'checked'));
  expect(comment).toMatch(element('input', 'type="hidden"', 'name="comment"', 'value="always"'));
  expect(await read('flags')).toContain(
    `<code>unit.drop</code> is 1, by <a href="${rules}#l5">coverage.yml, line 5</a>`,
  );
  const sent = { minimum: '', allowed_drop: '3', patch_minimum: '60' };
  expect((await browser.send(path, { do: 'thresholds', ...sent })).status).toBe(303);
  const { text: after } = await browser.get(path);
  expect(after).toMatch(element('input', 'name="allowed_drop"', 'value="3"'));
  expect(after).toMatch(element('input', 'type="hidden"', 'name="patch_minimum"', 'value="60"'));
});

test('a file that may only be stricter locks nothing, and what it or the server asks for is said', async () => {
  const { text, rules } = await openSettings({ config_file: 'stricter', patch_minimum: 60 });
  expect(text).toMatch(element('input', 'name="patch_minimum"', 'value="60"'));
  expect(text).toContain(`Stricter: 80, by <a href="${rules}#l1">coverage.yml, line 1</a>.`);
  expect(text).toContain('This server asks for at least 70%.');
  expect(text).not.toContain('disabled');
});

test('a file that is not read locks nothing', async () => {
  const { text } = await openSettings({ config_file: 'off' });
  expect(text).not.toContain('coverage.yml, line');
  expect(text).not.toContain('disabled');
});

test('a field that is wrong says so, and so does the way to its section', async () => {
  const { browser, path } = await openSettings({});
  const { status, text } = await browser.send(path, { do: 'thresholds', allowed_drop: 'much', patch_minimum: '180' });
  expect(status).toBe(422);
  expect(text).toContain('<b>Not saved: 2 fields need your attention.</b>');
  expect(text).toMatch(/<div class="field wrong"><label for="allowed_drop">/);
  expect(text).toMatch(
    /settings\/thresholds" aria-current="page">Thresholds <span class="n">2<span class="sr"> to fix</,
  );
});
