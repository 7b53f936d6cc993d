import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LargeBuild, putLargeBuild } from '../support/large-build.ts';
import { type Service, startService } from '../support/service.ts';

const FLAGS = 1_030;
/** Each is an upload of its own. */
const JOBS = 130;

let service: Service;
let large: string;
let repoOfLarge: string;
beforeAll(async () => {
  service = await startService();
  const repo = await service.newRepo();
  repoOfLarge = `/manual/${repo.name}`;
  large = String((await putLargeBuild(service.store, repo.id, { flags: FLAGS, failing: 15, jobs: JOBS })).id);
});
afterAll(() => service.stop());

async function put(build: LargeBuild): Promise<string> {
  const repo = await service.newRepo();
  return String((await putLargeBuild(service.store, repo.id, build)).id);
}

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const page = async (path: string): Promise<string> => (await service.api.send(path, asAdmin())).text;
const json = async (address: string): Promise<BuildJson> =>
  (await service.api.send<BuildJson>(address, asAdmin())).json;
/** The flags that a page lists, in order, and the numbers of its jobs. */
const flagsOn = (html: string): readonly string[] =>
  [...table(html, 'checks').matchAll(/<code>(flag-\d+)<\/code>/g)].map(([, name = '']) => name);
const jobsOn = (html: string): readonly number[] =>
  [...table(html, 'jobs').matchAll(/>Job (\d+)</g)].map(([, number]) => Number(number));
const table = (html: string, id: string): string => html.split(`id="${id}">`)[1]?.split('</section>')[0] ?? '';
const link = (html: string, id: string, text: string): string =>
  new RegExp(`<a href="([^"]*)">${text}`).exec(table(html, id))?.[1]?.replaceAll('&amp;', '&') ?? '';
const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the page of a build with a thousand flags', () => {
  test('shows a hundred of each, the failing flags first, and how many there are', async () => {
    const html = await page(`/builds/${large}`);
    expect(flagsOn(html)).toEqual([...numbers(1_016, 1_030), ...numbers(1, 85)].map((number) => `flag-${number}`));
    expect(table(html, 'checks')).toContain('Failing checks come first. Flags 1 to 100 of 1,030');
    expect(jobsOn(html)).toEqual(numbers(1, 100));
    expect(table(html, 'jobs')).toContain('Jobs 1 to 100 of 130');
    // For all jobs, though this one is on none of the pages shown.
    expect(html).toContain('Job 71.130: The last job is odd.');
  });

  test('leads on by links, each table for itself', async () => {
    const first = await page(`/builds/${large}`);
    const flagLink = link(first, 'checks', 'page 2');
    expect(flagLink).toBe(`/builds/${large}?flags_page=2#checks`);
    const second = await page(flagLink);
    expect(flagsOn(second)).toEqual(numbers(86, 185).map((number) => `flag-${number}`));
    expect(jobsOn(second)).toEqual(numbers(1, 100));
    const both = link(second, 'jobs', 'page 2');
    expect(both).toBe(`/builds/${large}?flags_page=2&jobs_page=2#jobs`);
    const third = await page(both);
    expect([flagsOn(third), jobsOn(third)]).toEqual([flagsOn(second), numbers(101, 130)]);
    const last = await page(`/builds/${large}?flags_page=11&jobs_page=2`);
    expect(table(last, 'checks')).toContain('Flags 1,001 to 1,030 of 1,030');
    expect(table(last, 'jobs')).toContain('Jobs 101 to 130 of 130');
    const beyond = await page(`/builds/${large}?flags_page=12&jobs_page=999999999`);
    expect([flagsOn(beyond), jobsOn(beyond)]).toEqual([[], []]);
    expect(table(beyond, 'jobs')).toContain('Jobs none of 130');
    expect(link(beyond, 'checks', '← page 11')).not.toBe('');
  });

  test('reads no more than it shows', async () => {
    const { jobs, views, builds } = service.store;
    const unread = [vi.spyOn(jobs, 'ofBuild'), vi.spyOn(builds, 'find'), vi.spyOn(builds, 'ofCommit')];
    const read = [vi.spyOn(jobs, 'list'), vi.spyOn(views, 'flags')];
    const names = vi.spyOn(views, 'flagNames');
    await page(`/builds/${large}?jobs_page=2`);
    await page(`${repoOfLarge}?per_page=100`);
    for (const spy of unread) expect(spy).not.toHaveBeenCalled();
    expect(read.map((spy) => spy.mock.calls.map(([{ limit }]) => limit))).toEqual([[100], [100]]);
    // The page of the repo offers some flags to choose from.
    expect(names.mock.calls.map(([, limit]) => limit)).toEqual([50]);
    await json(`/builds/${large}.json`);
    for (const spy of read) expect(spy.mock.calls.every(([{ limit }]) => limit <= 100)).toBe(true);
    vi.restoreAllMocks();
  });
});

describe('the JSON of a build', () => {
  test('of more than a thousand flags says which part it is, and where the others are', async () => {
    const first = await json(`/builds/${large}.json`);
    const address = (pages: string) => `${service.url}/builds/${large}.json?${pages}&per_page=1000`;
    expect(first.paging).toEqual({
      flags: { page: 1, pages: 2, total: FLAGS, next: address('flags_page=2&jobs_page=1') },
      jobs: { page: 1, pages: 1, total: JOBS, next: null },
    });
    const otherFlags = await json(first.paging?.flags.next ?? '');
    expect(otherFlags.paging?.flags).toEqual({ page: 2, pages: 2, total: FLAGS, next: null });
    const flags = [...first.flags, ...otherFlags.flags].map(({ name }) => name);
    expect(flags).toEqual(numbers(1, FLAGS).map((number) => `flag-${number}`));
    expect(otherFlags.jobs).toEqual(first.jobs);
    expect(otherFlags.warnings).toEqual(first.warnings);
  });

  test('has as many on a page as it is asked for', async () => {
    const first = await json(`/builds/${large}.json?per_page=100&flags_page=11`);
    const address = `${service.url}/builds/${large}.json?flags_page=11&jobs_page=2&per_page=100`;
    expect(first.paging?.jobs).toEqual({ page: 1, pages: 2, total: JOBS, next: address });
    const second = await json(address);
    expect(second.flags).toEqual(first.flags);
    expect(first.flags).toHaveLength(30);
    const jobs = [...first.jobs, ...second.jobs].map(({ number }) => number);
    expect(jobs).toEqual(numbers(1, JOBS).map((number) => `71.${number}`));
  });

  test('of a build of a usual size is whole, without a word of parts', async () => {
    const usual = await put({ flags: 120, failing: 3, jobs: 2 });
    const whole = await json(`/builds/${usual}.json`);
    expect(whole).not.toHaveProperty('paging');
    expect([whole.flags.length, whole.jobs.length]).toEqual([120, 2]);
    expect(whole.flags.map(({ name }) => name)).toEqual(numbers(1, 120).map((number) => `flag-${number}`));
    for (const odd of ['0', '-1', 'x', '1.5']) {
      const { flags } = await json(`/builds/${usual}.json?flags_page=${odd}`);
      expect(flags).toEqual(whole.flags);
    }
  });
});
