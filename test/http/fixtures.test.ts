import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFixtureReports, placeReport, readFixtureReport } from '../support/fixture-reports.ts';
import { createSampleCheckout } from '../support/sample-checkout.ts';

test('every fixture report has its totals, its sources and no path of another machine', async () => {
  const names = await listFixtureReports();
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of names) {
    const { text, expected, sources } = await readFixtureReport(name);
    expect(Object.keys(expected.files).length, name).toBeGreaterThan(0);
    for (const file of Object.keys(expected.files)) await access(join(sources, file));
    const sum = Object.values(expected.files).reduce((total, file) => total + file.lines.relevant, 0);
    const held = [expected, expected.reportHolds ?? expected].map(({ lines }) => lines.relevant);
    expect(held, name).toContain(sum);
    for (const [, path] of text.matchAll(/(?:SF:|<source>)(\/[^\n<]*)/g))
      expect(path, name).toContain(expected.checkout);
    expect(text.length, name).toBeLessThan(60_000);
  }
});

test('the sample checkout has the history of a pull request, the same everywhere', async () => {
  const [one, two] = await Promise.all([createSampleCheckout(), createSampleCheckout()]);
  expect({ ...one, directory: '' }).toMatchObject({
    baseSha: two.baseSha,
    headSha: two.headSha,
    mergeSha: two.mergeSha,
  });
  await access(join(one.directory, 'web/src/coupon.js'));
  await one.checkOut('base');
  await expect(access(join(one.directory, 'web/src/coupon.js'))).rejects.toThrow();
  await one.checkOut('merge');
  const path = await placeReport(one.directory, 'coverage.py-7.17.3-cobertura-head', 'python/coverage.xml');
  expect(await readFile(join(one.directory, path), 'utf8')).toContain(`<source>${one.directory}/billing</source>`);
  await Promise.all([one.dispose(), two.dispose()]);
});
