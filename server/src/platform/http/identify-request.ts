import type { Context } from 'koa';
import type { Caller } from '../../core/repo/caller.ts';

/** Who sent this request. Throws a Failure for a wrong credential, or for none if one is needed. */
export type IdentifyRequest = (context: Asked) => Promise<Caller>;

type Asked = Pick<Context, 'get' | 'query' | 'method' | 'state' | 'request'>;

/** A reader, or the holder of a host's token that could have uploaded to the job or build of this reference. */
export type IdentifyReaderOf = (context: Asked, reference: string) => Promise<Caller>;
