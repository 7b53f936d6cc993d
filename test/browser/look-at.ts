import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SCHEMES = ['light', 'dark'] as const;
/** All that may change with the scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** What is wrong with a page as it stands, wide and on a phone, light and dark; each with where it was seen. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of [1280, 390] as const) {
    await page.setViewportSize({ width, height: 900 });
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      const found = await seriousFindings(page, scheme === 'light' ? undefined : COLOR_RULES);
      faults.push(...found.map((finding) => `${width} ${scheme}: ${finding}`));
    }
  }
  for (const width of [390, 320] as const) {
    await page.setViewportSize({ width, height: 900 });
    faults.push(...(await sidewaysScrolls(page)).map((what) => `${width}: ${what} scrolls sideways`));
  }
  return faults;
}

/** What axe finds of impact serious or critical: its rule and where. `rules`: these alone. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The page's policy lets nobody put a script in, so axe comes by the debugger.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'axe failed');
    return result.value;
  };
  if (!(await evaluate('"axe" in window'))) await evaluate(`${AXE}; undefined`);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const found = (await evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html.slice(0, 200))))`,
  )) as readonly string[];
  await session.detach();
  return found;
}

/** What can be scrolled sideways and is not code: the page itself, with what is too wide, or a part of it. */
export function sidewaysScrolls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('body *:not(pre, .scroll, .scroll *)')];
    const by = document.documentElement.scrollWidth - window.innerWidth;
    const isTooWide = (element: Element) => element.getBoundingClientRect().right > window.innerWidth + 0.5;
    const tooWide = all.filter((one) => isTooWide(one) && ![...one.children].some(isTooWide));
    const parts = all.filter((element) => {
      const { overflowX } = getComputedStyle(element);
      return ['auto', 'scroll'].includes(overflowX) && element.scrollWidth > element.clientWidth;
    });
    const show = (elements: readonly Element[]) => elements.map((one) => one.outerHTML.slice(0, 200));
    return [...(by > 0 ? [`the page, by ${by} px, for ${show(tooWide).join()}`] : []), ...show(parts)];
  });
}
