import { createHash } from 'node:crypto';

/** A context as the key of a build status: a longer one is cut, and its end stands for all of it. */
export function shortKey(context: string, most: number): string {
  if (context.length <= most) return context;
  const digest = createHash('sha256').update(context).digest('hex').slice(0, 12);
  return `${context.slice(0, most - digest.length - 1).toWellFormed()}-${digest}`;
}
