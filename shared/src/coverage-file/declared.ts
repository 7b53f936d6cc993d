/** What a file may hold, and what groups are called: nothing that reads a text. */
export { groupId, groupName, slugOf } from './contradictions.ts';
export {
  type ChangesRule,
  COVERAGE_FILE,
  type CoverageFile,
  FILE_PLACES,
  type FileFlag,
  type FileGroup,
  type FileRule,
  MAX_EACH,
  MAX_FILE_BYTES,
  MAX_GROUP_STATUSES,
} from './declaration.ts';
