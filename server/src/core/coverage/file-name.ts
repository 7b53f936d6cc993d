/** Rule 6: `\` to `/`, repeated slashes to one, `.` segments dropped, in that order; a leading `/` is kept. */
export function normalizeFileName(name: string): string {
  const slashed = name.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
  const absolute = slashed.startsWith('/');
  const path = slashed
    .split('/')
    .filter((segment, index, all) => segment !== '.' && !(segment === '' && (index === 0 || index === all.length - 1)))
    .join('/');
  return absolute ? `/${path}` : path;
}
