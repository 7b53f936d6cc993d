export * from './declared.ts';
export { coverageFileSchema } from './json-schema.ts';
export { type FileProblem, type ReadCoverageFile, readCoverageFile, type ValidFile } from './read-file.ts';
