import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The browser of CHROMIUM, which `npm run test:browser` sets. */
export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM === undefined) throw new Error('CHROMIUM is not set: run these tests by npm run test:browser');
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });
}

/** How a reader's browser is set up. */
export interface Looks {
  readonly width?: 1280 | 390 | 320;
  readonly scheme?: 'light' | 'dark';
  readonly script?: boolean;
  readonly authorization?: string;
}

export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console said and what the policy refused, since the tab was opened. */
  readonly complaints: readonly string[];
}

/** A tab of a browser of its own: no cookie is shared. */
export async function openTab(browser: Browser, looks: Looks = {}): Promise<Tab> {
  const { width = 1280, scheme = 'light', script = true, authorization } = looks;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: script,
    ...(authorization !== undefined && { extraHTTPHeaders: { authorization } }),
  });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return { page: await context.newPage(), context, complaints };
}

/** What axe finds of impact serious or critical: its rule and where. It is run beside the page's own policy. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // The page's policy lets nobody put a script in, so axe comes by the debugger.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'axe failed');
    return result.value;
  };
  await evaluate(`${AXE}; undefined`);
  const found = (await evaluate(
    `axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html.slice(0, 200))))`,
  )) as readonly string[];
  await session.detach();
  return found;
}

/** How far the page can be scrolled sideways, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
