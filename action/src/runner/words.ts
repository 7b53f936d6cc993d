/** `1 file`, `2 files` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Texts that are put into a message, by name; the caller quotes hostile ones. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** Numbers that are put into a message, by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** `412 bytes`, `12.3 MB` */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
