// What is said of the reports that commands read from the folder.

export const REPORT_OPTIONS = {
  file: 'a report or a pattern, as "**/lcov.info"; without one, the usual names are searched',
  format: 'what the reports are; without it, their content decides',
  basePath: 'the folder that the names in the reports begin in',
  pathMap: 'what names are in the repo, as /app=backend',
  include: 'count only files of the repo like this, as "src/**"',
  exclude: 'leave out files of the repo like this, as "**/*.test.ts"',
  allowEmpty: 'no report, or an empty one, is no failure',
  allowAmbiguous: 'leave out a file that fits several of the checkout',
} as const;
