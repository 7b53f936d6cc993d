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
  sub { font-size: 12px; color: var(--quiet); }
`;

/** The comment as a page: its Markdown with GitHub's tables, folded parts open. */
export function commentPage(markdown: string): string {
  const body = marked.parse(markdown, { gfm: true, async: false }).replaceAll('<details>', '<details open>');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Comment</title><style>${STYLE}</style>
    <body><article><header><b>coverage</b> <span>bot</span> commented 12 minutes ago</header>
    <main>${body}</main></article></body></html>`;
}
