import { printable } from '../core/printable.ts';

/** What has a meaning in the middle of a line of GitHub's Markdown, or makes it link an address. */
const MARKUP = /[\\`*_{}[\]<>~&|$^]|:(?=\/)|\.(?=\p{L})|(?<=www)\./giu;
/**
 * What notifies a user or cross-references something, even out of an entity: an invisible break behind it prevents
 * that. GitLab has merge requests (`!7`) and milestones (`%3`) too.
 */
const REFERENCES = /@|(?<!&)#|gh-(?=\d)|!(?=\d)|%(?=[\p{L}\d"])/giu;

/**
 * A sentence that holds hostile text, for running text: reads the same, renders no markup, links nothing, notifies
 * nobody (rule 26). Not for the start of a line.
 */
export function prose(text: string, limit = 1_000): string {
  return printable(text, limit)
    .replace(MARKUP, (character) => `&#${character.codePointAt(0)};`)
    .replace(REFERENCES, '$&&#8203;');
}

/**
 * Hostile text as a code span, in which GitHub neither renders markup nor notifies a mentioned user (rule 26); the
 * fence is longer than any run of backticks within.
 */
export function code(text: string, limit = 200): string {
  const line = printable(text, limit);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const padded = longest > 0 ? ` ${line} ` : line;
  return fence + padded + fence;
}

/**
 * A code span inside a table cell: a pipe would end the cell even there, and so might one whose escape has a backslash
 * before it.
 */
export function codeCell(text: string, limit = 200): string {
  return code(text.replace(/\\(?=\|)/g, '\\ '), limit).replaceAll('|', '\\|');
}

/** A link whose text is Markdown already. The address is ours or percent-encoded; what could end it is encoded. */
export function link(markdown: string, url: string): string {
  return `[${markdown}](${url.replace(/[()<>\s|\\]/g, percentEncode)})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Percent-encodes one part of a path; a half of a pair of surrogates, which no address takes, is replaced. */
export function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

/** Percent-encodes a path except for its slashes, and these too where a part of it would lead to another address. */
export function encodePath(path: string): string {
  const parts = path.split('/').map(encodePart);
  return parts.join(parts.some((part) => ['', '.', '..'].includes(part)) ? '%2F' : '/');
}
