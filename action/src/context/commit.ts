/** A commit as git stores it. */
export interface Commit {
  /** Also those that a shallow clone does not hold. */
  readonly parents: readonly string[];
  readonly authorName?: string;
  readonly authorEmail?: string;
  readonly committerName?: string;
  readonly committerEmail?: string;
  readonly message: string;
}

/** What follows a person's address. */
const WHEN = /^ -?\d+ [+-]\d{4}$/;

/**
 * Reads the raw commit object (`git cat-file commit`): unlike `git log` it has the parents of a commit at the edge of
 * a shallow clone, and it is the same whatever the settings for dates, colors and signatures.
 */
export function parseCommit(text: string): Commit {
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const author = person(headers, 'author ');
  const committer = person(headers, 'committer ');
  return {
    parents: headers.filter((line) => line.startsWith('parent ')).map((line) => line.slice('parent '.length)),
    ...(author === undefined ? {} : { authorName: author.name, authorEmail: author.email }),
    ...(committer === undefined ? {} : { committerName: committer.name, committerEmail: committer.email }),
    message: end < 0 ? '' : text.slice(end + 2).trimEnd(),
  };
}

function person(headers: readonly string[], label: string): { name: string; email: string } | undefined {
  const line = headers.find((header) => header.startsWith(label));
  const text = line?.slice(label.length) ?? '';
  const close = text.lastIndexOf('>');
  // A name may hold brackets too; an address holds none that closes.
  const open = close < 1 ? -1 : text.indexOf('<', text.lastIndexOf('>', close - 1) + 1);
  if (open < 0 || open > close || !WHEN.test(text.slice(close + 1))) return undefined;
  return { name: text.slice(0, text[open - 1] === ' ' ? open - 1 : open), email: text.slice(open + 1, close) };
}
