import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let repo: { readonly token: string; readonly name: string };
let build: string;
beforeAll(async () => {
  service = await startService();
  repo = await service.newRepo({ service: 'manual', name: 'acme/platform' });
  const flag_settings = [{ flag: 'flag-03', informational: true }];
  await service.api.changeSettings(repo.name, { patch_status: true, patch_minimum: 20, flag_settings }, 'manual');
  await run('1', { commit_sha: BASE, git: { branch: 'main' } }, []);
  build = await run('2', PULL, FALLING);
});
afterAll(() => service.stop());

const [BASE, HEAD] = [shaOf('a'), shaOf('b')];
const FLAGS = Array.from({ length: 38 }, (_, index) => `flag-${String(index).padStart(2, '0')}`);
const FALLING = ['flag-01', 'flag-03', 'flag-05', 'flag-09'];
const fileOf = (flag: string): string => `apps/${flag}/summary.ts`;
const PULL = {
  ...{ commit_sha: HEAD, service_pull_request: '7', compare_sha: BASE, git: { branch: 'new-cart' } },
  diff: {
    ...{ base_sha: BASE, head_sha: HEAD, complete: true },
    files: FLAGS.map((flag) => ({ name: fileOf(flag), kind: 'modified', hunks: [[4, 1, 4, 3]] })),
  },
};

/** A build of all flags; those that fall miss the three lines that the change adds to their file. */
async function run(number: string, fields: object, falling: readonly string[]): Promise<string> {
  let id = '';
  for (const flag of FLAGS) {
    const lines = number === '1' ? [1, 1, 1, 0] : falling.includes(flag) ? [1, 1, 1, 0, 0, 0] : [1, 1, 1, 1, 1, 1];
    const part = { repo_token: repo.token, parallel: true, flag_name: flag, service_number: number };
    ({ build: id } = await service.upload({
      ...job(part),
      ...fields,
      source_files: [sourceFile(fileOf(flag), lines)],
    }));
  }
  await service.close(repo.token, number);
  return id;
}

async function page(path: string): Promise<string> {
  const headers = { authorization: `token ${service.adminToken}`, accept: 'text/html' };
  const { status, text } = await service.api.send(path, { headers });
  expect(status).toBe(200);
  return text;
}
const table = (html: string, label: string): string =>
  html.split(`aria-label="${label}"`)[1]?.split('</table>')[0] ?? '';
const rowsOf = (html: string, label: string): readonly string[] =>
  [...table(html, label).matchAll(/\?check=([^#"]*)#cover"/g)].map(([, id = '']) => id);
const excerptsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<article class="file".*?<h3>.*?<\/h3>/gs)].map(([head]) => head.replace(/<[^>]*>/g, '').trim());
const chosen = (html: string): string | undefined =>
  /<nav class="seg cover-filter".*?aria-current="true">(.*?)<\/a>/s
    .exec(html)?.[1]
    ?.replace(/<[^>]*>/g, ' ')
    .trim();

describe('a build with 40 checks, of which 3 fail and one would', () => {
  test('has six rows and a fold, on its page and on that of its pull request', async () => {
    for (const path of [`/builds/${build}`, `/manual/${repo.name}/pulls/7`]) {
      const html = await page(path);
      const open = ['flag:flag-01', 'flag:flag-05', 'flag:flag-09', 'flag:flag-03', 'total', 'changes'];
      expect([...new Set(rowsOf(html, 'Checks'))]).toEqual(open);
      expect(rowsOf(html, 'Checks that pass')).toHaveLength(34);
      expect(html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain('34 more pass 34 flags');
      expect(html).toContain('<section class="composite is-fail"');
    }
    expect(await page(`/builds/${build}`)).toContain('<title>✗ ');
  });

  test('is the same in JSON and in every list', async () => {
    const json = await service.build(build);
    expect(json.overall).toMatchObject({
      state: 'failure',
      sentence: 'Failed: flags `flag-01`, `flag-05` and `flag-09`. The total passes.',
      failing: ['flag:flag-01', 'flag:flag-05', 'flag:flag-09'],
      would_fail: ['flag:flag-03'],
      passing_count: 36,
    });
    expect(json.verdict).toMatchObject({ state: 'success' });
    const { builds = [] } = (
      await service.api.send<{ builds?: (typeof json)[] }>(`/manual/${repo.name}.json?page=1`, {
        headers: { authorization: `token ${service.adminToken}` },
      })
    ).json;
    expect(builds[0]?.overall).toEqual(json.overall);
    const list = await page(`/manual/${repo.name}`);
    expect(list.match(/<span class="tag bad">3 flags fail<\/span>/g)).toHaveLength(2);
    expect(await page('/')).toContain('3 flags fail');
    expect(await page(`/manual/${repo.name}?verdict=failed`)).toContain('3 flags fail');
    expect(await page(`/manual/${repo.name}?verdict=passed`)).not.toContain('3 flags fail');
  });
});

describe('the lines to cover', () => {
  const lines = (query: string): Promise<string> => page(`/builds/${build}${query}`);

  test('are those of the failing flags at first', async () => {
    const html = await lines('');
    expect(chosen(html)).toMatch(/^Failing checks\s+9$/);
    expect(excerptsOf(html)).toEqual(['flag-01', 'flag-05', 'flag-09'].map((flag) => `${fileOf(flag)}  ${flag}`));
  });

  test('are those of the check that the address names, also of one that informs alone', async () => {
    const html = await lines('?check=flag:flag-03');
    expect(chosen(html)).toMatch(/^flag-03\s+3$/);
    expect(excerptsOf(html)).toEqual([`${fileOf('flag-03')}  flag-03`]);
    expect(html).toContain('class="is-would on"');
    // Its first line is one key away.
    expect(html.match(/data-uncovered/g)).toHaveLength(1);
  });

  test('are in JSON too if they are asked for', async () => {
    const read = async (query: string) => JSON.parse(await page(`/builds/${build}.json${query}`)) as BuildJson;
    const namesIn = ({ to_cover: found }: BuildJson) => found?.files.map((file) => `${file.name}  ${file.flag_name}`);
    expect((await read('')).to_cover).toBeUndefined();
    const failing = await read('?check=failing');
    expect([failing.to_cover?.check, namesIn(failing)]).toEqual(['failing', excerptsOf(await lines(''))]);
    const one = await read('?check=flag:flag-03');
    expect(one.to_cover).toMatchObject({ check: 'flag:flag-03', more_files: 0, files: [{ flag_name: 'flag-03' }] });
    expect(one.to_cover?.files[0]).toMatchObject({ missed_lines: 3, uncovered_ranges: 1 });
    expect(await read('?check=group:none')).toMatchObject({ to_cover: { check: 'all' } });
  });

  test('of a check that misses none are none, and lead to all', async () => {
    const html = await lines('?check=flag:flag-07');
    expect(html.replace(/<[^>]*>/g, '')).toContain('for flag flag-07: no changed line is missed');
    expect(html).toContain(`<a href="/builds/${build}?check=all#cover">All <span class="count">`);
  });

  test.each(['all', 'total', 'changes', 'flag:nobody', 'group:backend', '<b>'])('of %s are all', async (check) => {
    const html = await lines(`?check=${encodeURIComponent(check)}`);
    expect(chosen(html)).toMatch(/^All\s+12$/);
    expect(excerptsOf(html)).toHaveLength(4);
  });
});
