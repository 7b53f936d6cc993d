/** Entries of a list that become JSON in one go. */
const AT_ONCE = 50;

/** The JSON of an object as JSON.stringify writes it, in pieces: of its own lists some entries at a time. */
export function* jsonPieces(object: object): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (Array.isArray(value)) yield* bracketed(listPieces(value));
    else yield JSON.stringify(value);
  }
  yield before === '{' ? '{}' : '}';
}

/** The entries of a list without its brackets. */
export function* listPieces(values: readonly unknown[]): Generator<string> {
  for (let start = 0; start < values.length; start += AT_ONCE) {
    const some = JSON.stringify(values.slice(start, start + AT_ONCE)).slice(1, -1);
    yield start === 0 ? some : `,${some}`;
  }
}

function* bracketed(pieces: Iterable<string>): Generator<string> {
  yield '[';
  yield* pieces;
  yield ']';
}
