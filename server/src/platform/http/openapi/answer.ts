import type { z } from 'zod';
import type * as answers from './answers.ts';

/** What is answered, by its name in the description of the API. */
export type Answer<Name extends keyof typeof answers> = Fixed<z.infer<(typeof answers)[Name]>>;

type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;
