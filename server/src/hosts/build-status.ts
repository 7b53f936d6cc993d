import { createHash } from 'node:crypto';
import type { CommitStatusState } from '../core/announce/delivery.ts';
import type { StatusCall } from '../ports/provider.ts';
import { type Fields, textOf } from './answers.ts';

const MAX_NAME = 255;
const STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', error: 'FAILED' } as const;

/**
 * A build status as both Bitbuckets take it: the next one of its key replaces it. The address is a template, so that
 * braces would be filled in.
 */
export function buildOf({ context, content }: Pick<StatusCall, 'context' | 'content'>, maxKey: number) {
  return {
    key: shortKey(context, maxKey),
    name: context.slice(0, MAX_NAME).toWellFormed(),
    state: STATES[content.state],
    description: content.description,
    url: content.targetUrl.replaceAll('{', '%7B').replaceAll('}', '%7D'),
  };
}

/** A context as the key of a status: a longer one is cut, and its end stands for all of it. */
export function shortKey(context: string, max: number): string {
  if (context.length <= max) return context;
  const digest = createHash('sha256').update(context).digest('hex').slice(0, 12);
  return `${context.slice(0, max - digest.length - 1).toWellFormed()}-${digest}`;
}

export function toShown({ state, description, url }: Fields) {
  if (textOf(state) === undefined) return undefined;
  return { state: stateOf(state), description: textOf(description) ?? '', targetUrl: textOf(url) ?? '' };
}

function stateOf(state: unknown): CommitStatusState {
  if (state === 'SUCCESSFUL') return 'success';
  if (state === 'FAILED') return 'failure';
  return state === 'INPROGRESS' ? 'pending' : 'error';
}
