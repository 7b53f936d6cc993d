/**
 * A remote's URL without user name, password, query and fragment: a token may stand in any of them. Handles URLs and
 * git's short form (`git@host:owner/name.git`); a local path stays as it is.
 */
export function withoutUserinfo(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    parsed.username = '';
    parsed.password = '';
    parsed.search = '';
    parsed.hash = '';
    // A scheme that URL does not know as special may keep what it can not parse.
    return parsed.href.replace(/^([a-z0-9+.-]+:\/\/)[^/]*@/i, '$1');
  }
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
}
