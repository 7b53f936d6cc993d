/**
 * What one stored report may hold. Encoding refuses more (payload-too-large); decoding takes a larger number for
 * damage, so that no byte sequence can make it allocate without bound.
 */
export const MAX_FILES = 500_000;

/** UTF-16 code units of a file name. */
export const MAX_NAME_LENGTH = 4_096;

/** UTF-16 code units of a `source_digest` (wire.md). */
export const MAX_DIGEST_LENGTH = 128;

/** Lines of all files: as many as a job of 256 MiB can hold. Those of one file: core/coverage/file-coverage.ts. */
export const MAX_REPORT_LINES = 2 ** 27;

/** Branches of all files. */
export const MAX_REPORT_BRANCHES = 2 ** 25;

/** Bytes of the file table before compression. */
export const MAX_TABLE_BYTES = 2 ** 28;

/** Files that are compressed together: as small as whole-report compression, and one file opens 30 times faster. */
export const CHUNK_FILES = 64;

/** The same of a merged report that is only merged further: a third less time for it, since few frames are opened. */
export const MERGED_CHUNK_FILES = 512;
