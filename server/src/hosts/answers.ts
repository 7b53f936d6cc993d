export type Fields = Readonly<Record<string, unknown>>;

/** Fields of an answer's object; `{}` when it is none, so that every field reads as missing. */
export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : {};
}

/** A text of an answer; undefined for anything else, empty texts too. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id or number of an answer. */
export function idOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/** A number of things in an answer: 0 and up. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** A moment of an answer, as text. */
export function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

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
