/** A sha, or the beginning of one: 7 digits are what git itself shows at least. */
export function isShaStart(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

// What git refuses in a name: control characters, blanks and the marks of revisions and patterns.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const REFUSED = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[-./]|[./]$|^@$/;

/** Whether git takes a text as the name of a branch or tag, with or without `refs/heads/` (git check-ref-format). */
export function isRefName(text: string): boolean {
  return text !== '' && text.length <= 1000 && !REFUSED.test(text);
}
