/*
 * Builds server/dist/docs.json: the pages of docs/ as every server shows them at /docs, for its own version. It is not
 * committed. Pages are read on the git host too, so Markdown means here what it means there.
 */
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { join as joinPath } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { Marked, type Tokens } from 'marked';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Raw HTML that means something; pictures stand on the git host alone. */
const KEPT_TAG = /^<\/?(?:br|kbd|sub|sup|details|summary)>$/;
const DROPPED_TAG = /^<(?:\/?(?:picture|source|img|p)\b[^>]*>|!--.*-->)$/s;

/** Files of the repo, and where their page is below /docs. */
const PATHS = new Map(
  ['CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })].sort().map((file) => [file, pathOf(file)]),
);

function pathOf(file: string): string {
  if (file === 'CHANGELOG.md') return 'changelog';
  return file === 'docs/README.md' ? '' : file.slice('docs/'.length, -'.md'.length);
}

/** Anchors as the git host makes them, which `npm run citations` checks. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What the server puts its own address before; undefined: it has no such page. */
function hrefOf(href: string, from: string): string | undefined {
  // `https://…` stands for an address, and is none.
  if (/^https?:/.test(href)) return URL.canParse(href) ? href : undefined;
  if (href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const page = PATHS.get(joinPath(dirname(from), path));
  return page === undefined ? undefined : `docs:${page}${anchor === undefined ? '' : `#${anchor}`}`;
}

function readPage(file: string) {
  const sections: { id: string; title: string; text: string }[] = [];
  const note = (text: string): void => {
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${text} `;
  };
  const markdown = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens, this.parser.textRenderer).replaceAll('&#39;', "'");
        const id = slugOf(unescapeHtml(title));
        sections.push({ id, title: unescapeHtml(title), text: '' });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const to = hrefOf(href, file);
        const text = this.parser.parseInline(tokens);
        return to === undefined ? text : `<a href="${escapeHtml(to)}">${text}</a>`;
      },
      code: ({ text }: Tokens.Code) => {
        note(text);
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      codespan: ({ text }) => {
        note(text);
        return `<code>${escapeHtml(text)}</code>`;
      },
      text(token) {
        if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
        note(token.text);
        return escapeHtml(unescapeHtml(token.text));
      },
      html: ({ text }) =>
        text.replace(/<!--.*?-->|<[^>]*>?|[^<]+/gs, (part) => {
          if (KEPT_TAG.test(part)) return part;
          return DROPPED_TAG.test(part) ? '' : escapeHtml(part);
        }),
      image: () => '',
    },
  });
  const html = markdown.parse(readFileSync(join(root, file), 'utf8'), { async: false });
  const shown = sections.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() }));
  return { path: PATHS.get(file) ?? '', title: shown[0]?.title ?? file, html, sections: shown };
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const moved: unknown = JSON.parse(readFileSync(join(root, 'docs/moved.json'), 'utf8'));
const docs = { pages: [...PATHS.keys()].map(readPage), moved };
const folder = join(root, 'server', 'dist');
mkdirSync(folder, { recursive: true });
// At once, for a server or a test that reads it at the same time.
const unfinished = join(folder, `.docs-${process.pid}.json`);
writeFileSync(unfinished, JSON.stringify(docs));
renameSync(unfinished, join(folder, 'docs.json'));
