import { appOperations } from './app-operations.ts';
import { checkOperations } from './check-operations.ts';
import { commentOperations } from './comment-operations.ts';
import { fileOperations } from './file-operations.ts';
import { manifestOperations } from './manifest-flow.ts';
import type { Operation } from './operation.ts';
import { readOperations } from './read-operations.ts';
import { runOperations } from './run-operations.ts';
import { statusOperations } from './status-operations.ts';

/** All that the stand-in answers. A ref may hold slashes, so longer templates stand before `…/commits/{ref}`. */
export const operations: readonly Operation[] = [
  ...statusOperations,
  ...commentOperations,
  ...checkOperations,
  ...readOperations,
  ...fileOperations,
  ...runOperations,
  ...appOperations,
  ...manifestOperations,
];
