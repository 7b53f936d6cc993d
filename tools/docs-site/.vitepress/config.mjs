// The site of docs/: `npm run docs` builds it, `npm run docs -- dev` shows it while you write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOME, REPO } from './home.mjs';
import { plainMarkdown, slugify } from './plain-markdown.mjs';
import { readSidebar } from './sidebar.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sidebar = readSidebar(readFileSync(join(root, 'docs/README.md'), 'utf8'));

const tool = join(root, 'tools/docs-site');
/** Pages lie outside of this folder, so from there Vue is not found. */
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId(id, importer, { ssr }) {
    if (!/^vue(?:$|\/)/.test(id)) return null;
    if (ssr) return { id, external: true };
    return importer?.startsWith(tool) ? null : this.resolve(id, join(tool, 'package.json'), { skipSelf: true });
  },
};

export default {
  title: 'Coverage service',
  description: 'A coverage service that your team runs itself',
  lang: 'en',
  // No request for an icon that is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '../../docs',
  outDir: '../../.cache/docs-site',
  cacheDir: '../../.cache/docs-site-cache',
  rewrites: { 'README.md': 'index.md' },
  // Where it is served below a folder, as Pages of a git host are.
  base: process.env.DOCS_BASE ?? '/',
  metaChunk: true,
  vite: { plugins: [vueOfThisFolder] },
  markdown: {
    anchor: { slugify },
    attrs: { disable: true },
    config: plainMarkdown,
  },
  transformPageData(page) {
    if (page.relativePath !== 'index.md') return;
    Object.assign(page.frontmatter, HOME);
    page.title = 'Docs';
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0].link, activeMatch: matchOf(items) })),
    sidebar,
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPO }],
    editLink: { pattern: `${REPO}/edit/main/docs/:path` },
  },
};

/** The group of a page is marked in the bar at the top. */
function matchOf(items) {
  return `^/(?:${items.map(({ link }) => link.slice(1)).join('|')})(?:\\.html)?$`;
}
