import { JsonDocument, type JsonKey, type JsonReader, type JsonScalar } from './json-reader.ts';

/** A value of which only the beginning is known: objects by name, arrays by index. */
export type JsonHead = JsonScalar | JsonMembers | undefined;
export type JsonMembers = ReadonlyMap<JsonKey, JsonHead>;

const NOTHING: JsonMembers = new Map();
const CHUNK_BYTES = 1 << 16;

/** What a file's first 64 KiB (as Latin-1) hold, as far as they are JSON. */
export function readJsonHead(head: string): JsonMembers {
  if (!/^\s*[[{]/.test(head)) return NOTHING;
  const bytes = Buffer.from(head, 'latin1');
  const read = (target: Uint8Array, offset: number, length: number, position: number) =>
    bytes.copy(target, offset, position, position + length);
  const root = new Map<JsonKey, JsonHead>();
  try {
    new JsonDocument({ path: '', size: bytes.length, read }).read((_, kind) => collect(root, kind), CHUNK_BYTES);
  } catch {
    // Most reports go on after their first 64 KiB: what came before the cut is enough.
  }
  return root;
}

/** The members of a value; none where it has none. */
export function membersOf(value: JsonHead): JsonMembers {
  return value instanceof Map ? value : NOTHING;
}

/** The members of the first object or array in a value: of the first file, where files go by their names. */
export function firstOf(value: JsonHead): JsonMembers {
  for (const member of membersOf(value).values()) if (member instanceof Map) return member;
  return NOTHING;
}

function collect(into: Map<JsonKey, JsonHead>, kind: JsonReader['kind']): JsonReader {
  return {
    kind,
    open: (key, inner) => {
      const members = new Map<JsonKey, JsonHead>();
      into.set(key, members);
      return collect(members, inner);
    },
    value: (key, value) => into.set(key, value),
  };
}
