/** Below this many bytes a copy costs less than a buffer that changes hands; a job may bring half a million sources. */
const MIN_MOVED = 65_536;

/** The large buffers that are all of these parts: handed over instead of copied. A view of a larger one is copied. */
export function wholeBuffers(parts: readonly ArrayBufferView[]): ArrayBuffer[] {
  const moved = parts.filter((part) => part.byteLength >= MIN_MOVED && part.byteLength === part.buffer.byteLength);
  return [...new Set(moved.map((part) => part.buffer as ArrayBuffer))];
}
