/**
 * Text that stays text in GitHub's Markdown: line breaks become blanks and every mark of ASCII gets a backslash
 * (CommonMark allows it before each), so that no name becomes a link, an image, a table cell, HTML or a mention.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A link where the address is one of the web, else the text alone. */
export function link(text: string, url: string): string {
  const href = URL.canParse(url) ? new URL(url) : undefined;
  if (href === undefined || !/^https?:$/.test(href.protocol)) return escapeMarkdown(text);
  return `[${escapeMarkdown(text)}](<${href.href.replaceAll('<', '%3C').replaceAll('>', '%3E')}>)`;
}

/** A table of rows whose cells are Markdown already; `alignment` as GitHub writes it. */
export function table(head: string, alignment: string, rows: readonly (readonly string[])[]): string {
  return [head, alignment, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}
