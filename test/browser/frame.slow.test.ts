import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { openTab, startBrowser } from './browser.ts';
import { seriousFindings, sidewaysScrolls } from './look-at.ts';

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(() => Promise.all([service?.stop(), browser?.close()]));

describe.each([1280, 390, 320] as const)('%i pixels wide', (width) => {
  test.each(['light', 'dark'] as const)('a page of a stranger, %s', async (scheme) => {
    const { page, complaints, context } = await openTab(browser, { width, scheme });
    // What a stranger may not see leads to the sign-in, whether it is there or not.
    for (const [path, status] of [
      ['/', 200],
      ['/builds/99', 200],
      ['/assets/none', 404],
    ] as const) {
      expect((await page.goto(service.url + path))?.status()).toBe(status);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await sidewaysScrolls(page)).toEqual([]);
    }
    expect(complaints()).toEqual([]);
    await context.close();
  });
});

test.each([true, false])('the shortcuts open and close by a button, script or not (%s)', async (script) => {
  const { page, context } = await openTab(browser, { script });
  await page.goto(`${service.url}/builds/99`);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(await dialog.innerText()).toContain('Next failing check');
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await dialog.isVisible()).toBe(false);
  await context.close();
});

test('keys: / goes to the search, ? lists them, and neither works in a field', async () => {
  const { page, context } = await openTab(browser);
  await page.goto(`${service.url}/builds/99`);
  await page.keyboard.press('?');
  expect(await page.locator('#keys').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('a/b?');
  expect(await page.locator('header input[type=search]').inputValue()).toBe('a/b?');
  expect(await page.locator('#keys').isVisible()).toBe(false);
  await context.close();
});
