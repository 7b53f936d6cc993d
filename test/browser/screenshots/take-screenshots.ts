import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import png from 'upng-js';
import { startBrowser } from '../browser.ts';
import { commentPage } from './comment-page.ts';
import { openShop, type Shop } from './shop.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

interface Picture {
  /** For the file. */
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly height?: number;
  readonly schemes?: readonly ('light' | 'dark')[];
}

function picturesOf({ build, scene }: Shop): readonly Picture[] {
  const repo = `/github/${scene.repo}`;
  const files = `${repo}/commits/${scene.commits.firstHead}`;
  const light = { schemes: ['light'] } as const;
  return [
    { name: 'build', path: build, height: 1_130 },
    { name: 'build-phone', path: build, width: 390, height: 1_000, ...light },
    { name: 'file', path: `${files}/file/web/src/coupon.js`, height: 920 },
    { name: 'repo', path: repo, height: 920 },
    { name: 'files', path: `${files}/tree`, height: 740, ...light },
    { name: 'home', path: '/', height: 760, ...light },
  ];
}

/** Pictures for the README and the docs, of the demo's data. The folder is written, nothing else in it removed. */
async function main(): Promise<void> {
  const shop = await openShop();
  try {
    const rules = `--host-resolver-rules=MAP ${new URL(shop.address).host}:80 127.0.0.1:${shop.port}`;
    const browser = await startBrowser([rules]);
    try {
      await mkdir(FOLDER, { recursive: true });
      for (const scheme of ['light', 'dark'] as const) await takeAll(browser, shop, scheme);
    } finally {
      await browser.close();
    }
  } finally {
    await shop.scene.dispose();
  }
}

async function takeAll(browser: Browser, shop: Shop, scheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({ colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await fixFonts(page, shop);
  await page.goto(await shop.makeSignInLink());
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  for (const { name, path, width = 1280, height = 900, schemes } of picturesOf(shop)) {
    if (schemes !== undefined && !schemes.includes(scheme)) continue;
    await page.setViewportSize({ width, height });
    await open(page, `${shop.address}${path}`);
    await save(`${name}-${scheme}`, await page.screenshot());
  }
  // In a page of its own: the server's lets no style in.
  const comment = await context.newPage();
  await comment.setContent(commentPage(shop.comment));
  await save(`comment-${scheme}`, await comment.locator('body').screenshot());
  await context.close();
}

/** In 256 colors, which is a third of the bytes. */
async function save(name: string, picture: Buffer): Promise<void> {
  const { buffer, byteOffset, byteLength } = picture;
  const decoded = png.decode(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  const { width, height } = decoded;
  await writeFile(`${FOLDER}${name}.png`, Buffer.from(png.encode(png.toRGBA8(decoded), width, height, 256)));
}

/** A text is colored a moment after the page was made. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('table[data-plain]') === null);
}

/** Each machine has another font of its own; one that Debian's Chromium brings along is everywhere the same. */
async function fixFonts(page: Page, { address, port }: Shop): Promise<void> {
  await page.route('**/*.css', async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace(address, `http://127.0.0.1:${port}`) });
    const style = await answer.text();
    const body = style.replace('system-ui', '"Liberation Sans"').replace('ui-monospace', '"Liberation Mono"');
    await route.fulfill({ response: answer, body });
  });
}

await main();
