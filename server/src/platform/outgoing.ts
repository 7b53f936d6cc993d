/** What sends every request to another server: through the company's proxy, and with its certificates. */
export type Fetch = typeof fetch;

/** A request that never left, for a reason that a setting fixes: the message is a clause that names the setting. */
export class NotSent extends Error {}

/** The NotSent behind an error of a Fetch, or of a library that uses one. */
export function findNotSent(error: unknown): NotSent | undefined {
  let next = error;
  for (let depth = 0; depth < 6 && next instanceof Error; depth += 1) {
    if (next instanceof NotSent) return next;
    next = next.cause;
  }
  return undefined;
}
