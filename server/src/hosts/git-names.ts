/** Whether a text can be a commit: a whole SHA-1 or SHA-256. */
export function isCommitSha(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/**
 * git's own rule for names of branches (git-check-ref-format); `:` would lead to another owner's repo, `..` to another
 * range.
 */
const BRANCH = /^(?![-/.])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)))[^\p{Cc} ~^:?*[\\]{1,250}(?<![./])$/u;

/** Whether a text can stand at an end of a comparison: a whole SHA or the name of a branch. */
export function isRangeEnd(text: string): boolean {
  return isCommitSha(text) || (text !== '@' && text.isWellFormed() && BRANCH.test(text));
}

/** Ids that are numbers: whole numbers that JSON keeps exactly. */
export function isNumericId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

/** Whether a text can be the path of a file in a repo; anything else might lead to another address. */
export function isFilePath(path: string): boolean {
  return (
    path.length <= 4_096 &&
    path.isWellFormed() &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
  );
}
