import { afterAll, beforeAll, expect, test } from 'vitest';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** What status, comment and page say where something else than the total decides, which passes. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene();
});
afterAll(() => scene.end());

const BASE = { 'core/a.ts': hits(10, 10), 'ui/b.ts': hits(10, 10), 'z.ts': hits(50, 50) };
const WORSE = { ...BASE, 'core/a.ts': [0, 0, ...hits(8, 8)], 'ui/b.ts': [0, ...hits(9, 9)] };
const CORE = 'total: { drop: 50 }\ngroups:\n  - { name: Core, paths: [core/**], total: { drop: 0 } }\n';
const UI = '  - { name: UI, paths: [ui/**], total: { drop: 0 } }\n';
const LOST = 'total: { drop: 50 }\nelsewhere: fail\n';
const BROKEN = { files: BASE, texts: { [COVERAGE_YML]: 'total: { minumum: 9 }\nuploads: x\n' } };
const COVER_TWO = 'Cover 2 more lines in Core to pass.';

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

type Case = readonly [what: string, yml: string, change: object, heading: string, sentence: string, page: string];

test('a pull request says on its page that it edits the rules, and that groups without one are no checks', async () => {
  const yml = `${CORE}  - { name: UI, paths: [ui/**] }\n`;
  const repo = await scene.repoWith({ [COVERAGE_YML]: yml }, BASE);
  const build = await repo.pull({ files: BASE, texts: { [COVERAGE_YML]: yml.replace('50', '40') } });
  const read = async (path: string): Promise<string> => {
    const headers = { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' };
    return plain((await scene.service.api.send(path, { headers })).text);
  };
  for (const path of [`/github/${repo.name}/pulls/7`, `/builds/${build.id}`]) {
    const text = await read(path);
    expect(text).toContain('This change edits .github/coverage.yml: total.drop 50 → 40.');
    expect(text).toContain('1 group has no rule, so it isn’t a check. See all 2 groups');
  }
});

test.each<Case>([
  ['a group', CORE, {}, 'group Core fails', `**${COVER_TWO}**`, 'group Core. The total passes. Cover 2 more lines'],
  [
    'a group with a status of its own',
    CORE.replace('0 } }', '0 }, status: true }'),
    {},
    'group Core fails',
    `**${COVER_TWO}**`,
    'group Core. The total passes. Cover 2 more lines',
  ],
  [
    'a group and the changed lines',
    `${CORE}changes: { minimum: 80 }\n`,
    {},
    'changed lines and Core fail',
    '**Cover all 2 missed changed lines to reach 80%.**',
    'changed lines, group Core.',
  ],
  [
    'two groups',
    CORE + UI,
    {},
    'Core and UI fail',
    '**Cover at least 2 more lines to pass.**',
    'groups Core and UI. The total passes.',
  ],
  [
    'lines outside the change',
    LOST,
    { changed: ['z.ts'] },
    'lines outside the change fail',
    '**3 lines outside the change lost coverage.**',
    'lines outside the change. The total passes.',
  ],
  [
    'the file of the rules',
    CORE,
    BROKEN,
    '`coverage.yml` has 2 errors',
    '**Fix line 1, column 10 of &#46;github/coverage&#46;yml: "minumum" isn’t a known key',
    'coverage.yml has 2 errors. The total passes. Fix line 1 . If this were merged, its rules couldn’t be read.',
  ],
])('%s fails', async (_, yml, change, heading, sentence, page) => {
  const repo = await scene.repoWith({ [COVERAGE_YML]: yml }, BASE);
  const build = await repo.pull({ files: WORSE, changed: Object.keys(WORSE), ...change });
  await repo.delivered();
  const [, head = '', first = ''] = repo.comment(7).split('\n\n');
  expect(head).toMatch(`### ❌ Coverage: ${heading} · total `);
  expect(first.startsWith(sentence)).toBe(true);
  const { text } = await scene.service.api.send(`/builds/${build.id}`, {
    headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
  });
  expect(plain(text)).toContain(`Failed: ${page}`);
});
