import { context } from '@actions/github';
import type { GithubEvent } from './event.ts';

/**
 * The event's payload, as the toolkit read it from GITHUB_EVENT_PATH when this module was loaded; empty without one. A
 * module of its own, so that it is loaded where a broken file can be reported, and that the bundle holds nothing else
 * of the toolkit.
 */
export const eventPayload: GithubEvent = context.payload;
