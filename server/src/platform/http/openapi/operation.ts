import type { z } from 'zod';

/** Who may ask: nobody's credential is needed, or what the request must bring. */
export type Access = 'anyone' | 'reader' | 'uploader' | 'personal-token' | 'signature';

export interface Parameter {
  readonly name: string;
  /** A sentence. */
  readonly description: string;
  readonly required?: boolean;
  readonly kind?: 'integer' | 'string';
}

/** One thing that programs may ask, as it is described. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As `/api/v1/repos/{service}/{owner}/{name}`. */
  readonly path: string;
  /** Unique; a generated client calls its function so. */
  readonly id: string;
  readonly group: 'Uploads' | 'Builds' | 'Repos' | 'Server';
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly query?: readonly Parameter[];
  /** The schema that checks the body. */
  readonly body?: z.ZodType;
  /** For the body; JSON where it is absent. */
  readonly bodyType?: string;
  /** What is answered when all goes well; undefined for an empty answer. */
  readonly answer: {
    readonly status: number;
    /** Others that bring the same, as 202. */
    readonly others?: readonly number[];
    readonly schema?: z.ZodType;
    readonly type?: string;
  };
  /** The statuses of failures that the caller must reckon with, beside 400, 500 and 503. */
  readonly failures?: readonly number[];
}

/** What may be asked of the repos that somebody's token may see or administer. */
export function ofRepos(operations: readonly Omit<Operation, 'group' | 'access'>[]): readonly Operation[] {
  return operations.map((operation) => ({ ...operation, group: 'Repos', access: 'personal-token' }));
}
