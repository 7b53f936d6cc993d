/** What the addresses of git remotes, a blank between two, call their repos: `<owner>/<name>` in lower case. */
export function namesOfRemotes(remotes: string): readonly string[] {
  return remotes
    .toLowerCase()
    .split(' ')
    .flatMap((address) => {
      // `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name.git`.
      const [, url] = address.split('://');
      const path = url === undefined ? address.slice(address.indexOf(':') + 1) : url.slice(url.indexOf('/') + 1);
      const name = path
        .split('/')
        .filter(Boolean)
        .join('/')
        .replace(/\.git$/, '');
      return name.includes('/') ? [name] : [];
    });
}
