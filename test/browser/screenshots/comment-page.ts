import { marked } from 'marked';

/** Our own few rules, in the measures of a comment on the host. */
const STYLE = `
  :root { color-scheme: light dark; --bg: #fff; --edge: #d0d7de; --head: #f6f8fa; --text: #1f2328; --quiet: #59636e;
    --link: #0969da; }
  @media (prefers-color-scheme: dark) { :root { --bg: #0d1117; --edge: #3d444d; --head: #151b23; --text: #f0f6fc;
    --quiet: #9198a1; --link: #4493f8; } }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 24px; width: 880px; background: var(--bg); color: var(--text);
    font: 14px/1.5 "Liberation Sans", Arial, sans-serif; }
  article { border: 1px solid var(--edge); border-radius: 6px; overflow: hidden; }
  header { padding: 8px 16px; background: var(--head); border-bottom: 1px solid var(--edge); color: var(--quiet); }
  header b { color: var(--text); }
  header span { border: 1px solid var(--edge); border-radius: 12px; padding: 0 7px; font-size: 12px; }
  main { padding: 16px; }
  main > * { margin: 0 0 16px; }
  main > :last-child { margin: 0; }
  h3 { font-size: 17.5px; line-height: 1.25; }
  a { color: var(--link); text-underline-offset: 3px; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { border: 1px solid var(--edge); padding: 6px 13px; }
  tr:nth-child(2n) td { background: var(--head); }
  code { padding: 2px 5px; border-radius: 6px; background: var(--head); font: 12px "Liberation Mono", monospace; }
  details > :not(summary) { margin: 16px 0; }
  details > :last-child { margin-bottom: 0; }
  .sign { width: 1.1em; height: 1.1em; vertical-align: -0.2em; }
  sub { font-size: 12px; color: var(--quiet); }
`;

/** In place of emoji, for which a machine may have no font. */
const SIGNS: Readonly<Record<string, string>> = {
  '❌': '<path d="m2 2 12 12M14 2 2 14" stroke="#dd2e44" stroke-width="3.4" stroke-linecap="round"/>',
  '✅':
    '<rect width="16" height="16" rx="3" fill="#77b255"/>' +
    '<path d="m3.5 8.5 3 3 6-7.5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>',
};

/** The comment as a page: its Markdown with GitHub's tables, folded parts open. */
export function commentPage(markdown: string): string {
  const html = marked.parse(markdown, { gfm: true, async: false }).replaceAll('<details>', '<details open>');
  const body = html.replace(/[❌✅]/g, (sign) => `<svg class="sign" viewBox="0 0 16 16">${SIGNS[sign]}</svg>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Comment</title><style>${STYLE}</style>
    <body><article><header><b>coverage</b> <span>bot</span> commented 12 minutes ago</header>
    <main>${body}</main></article></body></html>`;
}
