import type { BuildJson, CountsJson } from '@coverage/shared';

/** Everything that is said of one close, as its readers meet it. */
export interface Told {
  readonly json: BuildJson;
  /** For the build that it is compared with; undefined without one. */
  readonly base: BuildJson | undefined;
  /** `state: description` by context. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly comment: string;
  /** The page as HTML. */
  readonly page: string;
  /** The row of the build in a list, as HTML; undefined: it is not looked at. */
  readonly list?: string;
  /** Whether the build's own context stands for all checks. */
  readonly sumsUp?: boolean;
  /** By the ids of groups with a status of their own: what their contexts may be called. */
  readonly groupContexts?: Readonly<Record<string, readonly string[]>>;
}

/** A number that a text states, and what the JSON has for it. */
export interface Claim {
  readonly where: string;
  readonly what: string;
  readonly said: string;
  readonly known: string;
  /** The pattern that found it. */
  readonly by?: string;
}

/** A part of what is told, by a name for failures. */
export type Text = readonly [where: string, text: string];

type Counts = { readonly [Key in keyof CountsJson]: number | null };

export interface Fraction {
  readonly covered: bigint;
  readonly all: bigint;
}

/** What a percentage is made of; undefined if nothing is relevant. */
export function fractionOf(counts: Counts | undefined): Fraction | undefined {
  const all = BigInt((counts?.relevant_lines ?? 0) + (counts?.relevant_branches ?? 0));
  return all === 0n
    ? undefined
    : { covered: BigInt((counts?.covered_lines ?? 0) + (counts?.covered_branches ?? 0)), all };
}

/** Two decimals, cut. */
export function percentText(fraction: Fraction | undefined): string {
  return fraction === undefined ? 'none' : decimals(100n * fraction.covered, fraction.all, 2);
}

/** A change as a text with this many decimals has it, cut toward zero: `−7.10`. */
export function changeText(now: Fraction | undefined, before: Fraction | undefined, places: number): string {
  if (now === undefined || before === undefined) return 'none';
  const change = 100n * (now.covered * before.all - before.covered * now.all);
  if (change === 0n) return 'unchanged';
  return `${change < 0n ? '−' : '+'}${decimals(change < 0n ? -change : change, now.all * before.all, places)}`;
}

export function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/** `1.50` as 1500 thousandths: sums of texts are exact. */
export function scaled(text: string): bigint {
  const sign = /^[-−]/.test(text) ? -1n : 1n;
  const [whole = '0', fraction = ''] = text.replace(/[^0-9.]/g, '').split('.');
  return sign * BigInt(whole + fraction.padEnd(SCALE, '0'));
}

const SCALE = 30;

function decimals(numerator: bigint, denominator: bigint, places: number): string {
  const digits = ((numerator * 10n ** BigInt(places)) / denominator).toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The page as text: tags taken off, blanks joined. */
export function readPage(html: string): string {
  return unescapeHtml(
    html
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  );
}

/** The rows of a table of a page, by the name that the table has for those who do not see it, cell by cell. */
export function readTable(html: string, label: string): readonly (readonly string[])[] {
  const [, body = ''] = html.split(`aria-label="${label}"`)[1]?.split('</table>')[0]?.split('</thead>') ?? [];
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => readPage(cell).trim()),
  );
}

/** The rows of the tables of a comment. */
export function readCommentRows(markdown: string): readonly (readonly string[])[] {
  const rows = markdown.split('\n').filter((line) => /^\|(?:(?:❌|⚠️|✅|⛔) )?\[?`/u.test(line));
  return rows.map((row) => row.slice(1, -1).split(/(?<!\\)\|/));
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
