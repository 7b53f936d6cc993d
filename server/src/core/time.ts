/** Milliseconds since 1970-01-01 UTC. */
export type Timestamp = number;

/** `YYYY-MM-DDTHH:MM:SSZ` (api.md "Repos"). */
export function toSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
