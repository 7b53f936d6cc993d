// Pages are read on the git host too, so Markdown means here what it means there, and nothing of Vue's or VitePress's.
import { dirname, join } from 'node:path/posix';
import { REPO } from './home.mjs';

/** Raw HTML of these alone; other words in angle brackets are text. */
const TAG = /^<(?:\/?(?:picture|source|img|p|br|kbd|sub|sup|details|summary)\b|!--)/;
const ADDRESS = /^(?:[a-z]+:|#|\/)/i;

/** Anchors as GitHub makes them, since that is what `npm run citations` checks. */
export function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export function plainMarkdown(md) {
  md.core.ruler.disable('emoji', true);
  // `coverage.py` is no address.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  const { rules } = md.renderer;
  for (const name of ['text', 'code_inline']) {
    const render = rules[name];
    rules[name] = (...args) => withoutBraces(render(...args));
  }
  for (const name of ['html_inline', 'html_block']) {
    rules[name] = (tokens, index) => {
      const { content } = tokens[index];
      if (content.startsWith('<') && !TAG.test(content)) return withoutBraces(md.utils.escapeHtml(content));
      // What is built has other names for images: only `./` says that this is one.
      return content.replaceAll(/\b(src|srcset)="(?=images\/)/g, '$1="./');
    };
  }
  md.core.ruler.push('links-of-the-repo', ({ tokens, env }) => {
    for (const { children } of tokens)
      for (const token of children ?? [])
        if (token.type === 'link_open') token.attrSet('href', linkOf(token.attrGet('href'), env.relativePath ?? ''));
  });
}

/** Vue would take two braces for code of its own. */
function withoutBraces(html) {
  return html.replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;');
}

/** What lies outside docs/ is shown by the git host. */
function linkOf(href, from) {
  if (ADDRESS.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = join('docs', dirname(from), path);
  if (!target.startsWith('docs/')) return `${REPO}/blob/main/${href.replace(/^(?:\.\.\/)+/, '')}`;
  if (target !== 'docs/README.md') return href;
  return `${path.replace(/README\.md$/, 'index.md')}${anchor === undefined ? '' : `#${anchor}`}`;
}
