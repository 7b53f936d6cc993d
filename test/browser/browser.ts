import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { signedIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** Only what never comes takes this long, however busy the machine is. In ms. */
const ENOUGH = 15_000;

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
}

export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console said and what the policy refused, since the tab was opened. */
  complaints(): readonly string[];
}

/** A tab of a browser of its own: no cookie is shared. */
export async function openTab(browser: Browser, looks: Looks = {}): Promise<Tab> {
  const { width = 1280, scheme = 'light', script = true } = looks;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  context.setDefaultTimeout(ENOUGH);
  const complaints: { readonly text: string; readonly url?: string }[] = [];
  const failed = new Set<string>();
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    complaints.push({ text: message.text(), url: message.location().url });
  });
  context.on('weberror', (error) => complaints.push({ text: String(error.error()) }));
  context.on('response', (response) => {
    if (response.status() >= 400 && response.request().isNavigationRequest()) failed.add(response.url());
  });
  // The browser itself complains of a page that was asked for and is answered with a failure.
  const isOfPage = (text: string, url = ''): boolean => text.startsWith('Failed to load resource') && failed.has(url);
  return {
    page: await context.newPage(),
    context,
    complaints: () => complaints.filter(({ text, url }) => !isOfPage(text, url)).map(({ text }) => text),
  };
}

/** A tab of somebody who has signed in with the password of the tests. */
export async function openTabOf(browser: Browser, service: Service, name: string, looks: Looks = {}): Promise<Tab> {
  const { cookies } = await signedIn(service, name);
  const tab = await openTab(browser, looks);
  const ofTab = [...cookies].map(([key, value]) => ({ name: key, value, url: service.url }));
  await tab.context.addCookies(ofTab);
  return tab;
}
