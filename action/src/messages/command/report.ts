// What the commands "report" and "done" say of themselves.

export const REPORT = {
  summary: 'upload the coverage of this job to your server',
  usage: '[options] [report...]',
  explanation:
    'Finds the reports below this folder (or takes those that are named), reads them whatever their format, gives\n' +
    'each file its name in the checkout and uploads the result. The number of the run, the job, the commit, the\n' +
    'branch and the pull request come from the CI, which is recognised by its variables: "doctor" shows them.\n' +
    'Later sources win: CI_* variables, the CI, .coveralls.yml, COVERALLS_* variables, these options.',
  examples: [
    ['report', 'Upload what is found; server and token from COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN.'],
    ['report --endpoint=https://coverage.example coverage/lcov.info', 'Upload one report to this server.'],
    ['report --parallel --job-flag=unit', 'One of several jobs of a run; "done" closes the build.'],
    ['report --no-fail', 'Never break a build because of coverage.'],
  ],
} as const;

export const DONE = {
  summary: 'close the build of a run whose jobs reported with --parallel',
  usage: '[options]',
  explanation:
    'To be called once, when all jobs of the run have reported. The number is the one that their reports were sent\n' +
    'with. A CI that has no number of its own sends the id of its run as one, in "report" and here.',
  examples: [
    ['done', 'Close the build of this run.'],
    ['done --build-number=71', 'Close the build that was reported with this number.'],
    ['done --carryforward=e2e,mobile', 'Close it; these flags did not run and keep their last report.'],
  ],
} as const;

export function numberMissing(ci: string | undefined): string {
  const why = ci === undefined ? 'No CI is recognised' : `${ci} says no number of its run`;
  return (
    `${why}: give the number that the jobs of this run reported with, as --build-number=71 or in ` +
    'COVERALLS_SERVICE_NUMBER, to "report" and to "done". Or leave "done" out: the server closes the build by itself ' +
    'after its quiet period (30 minutes unless it is set otherwise).'
  );
}

export function notFailing(message: string): string {
  return `Not failing, as --no-fail asks: ${message}`;
}
