/**
 * The page to read after `page` of a list that is ordered oldest first: after the first the last one, then backwards.
 * Our comment is old (made at a pull request's first build) or new (made just now, with its answer lost).
 *
 * `last` comes from the first page's Link header; where that named none, `link` (of this page) leads on.
 */
export function followingPage({
  page,
  last,
  link,
}: {
  readonly page: number;
  readonly last: number | undefined;
  readonly link: string;
}): number | undefined {
  if (last === undefined) return /;\s*rel="next"/.test(link) ? page + 1 : undefined;
  if (page === 1) return last > 1 ? last : undefined;
  return page > 2 ? page - 1 : undefined;
}

/** The number of the last page in a Link header (RFC 8288); GitHub leaves it out when there is one page only. */
export function lastPage(link: string): number | undefined {
  for (const entry of link.split('<')) {
    const [address = '', relation = ''] = entry.split('>', 2);
    const digits = /[?&]page=(\d{1,9})/.exec(address)?.[1];
    if (digits !== undefined && /^;\s*rel="last"/.test(relation)) return Number(digits);
  }
  return undefined;
}
