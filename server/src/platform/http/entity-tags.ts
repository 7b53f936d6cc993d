/**
 * Whether an If-None-Match header names a tag. Koa's own `fresh` would send it all again to clients that say
 * `Cache-Control: no-cache`, as every fetch with this header does.
 */
export function hasEntityTag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
