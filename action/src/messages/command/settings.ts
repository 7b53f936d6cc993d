// What is said of the settings that commands read: options, variables, .coveralls.yml.

export const SETTING_OPTIONS = {
  endpoint: 'the address of your coverage server; else COVERAGE_ENDPOINT, COVERALLS_ENDPOINT',
  repoToken: "the repo's token; better in COVERALLS_REPO_TOKEN, which nobody sees in a list of processes",
  configPath: 'another file than .coveralls.yml, or the same, so that its endpoint may get a token',
  flag: 'what this job tested, as "unit"; else COVERALLS_FLAG_NAME',
  parallel: 'more jobs of this run report too, and "done" closes the build; else COVERALLS_PARALLEL',
  carryforward: 'flags that did not run and keep their last report, with commas, or "all"',
  buildNumber: 'the number of the run, which its jobs share; else what the CI says',
  serviceName: 'what the CI is called',
  jobId: "the job's id in the CI",
  jobNumber: "the job's number in the CI",
  branch: 'the branch',
  pullRequest: 'the number of the pull request',
  buildUrl: 'the address of the run in the CI',
  jobUrl: 'the address of the job in the CI',
  repoName: '<owner>/<name> of the repo',
  commit: 'the commit that was tested',
  compareRef: 'the branch to compare with',
  compareSha: 'the commit to compare with',
  sendSource: 'whose text goes along with the report',
  noDiff: 'do not send which lines the commit changed',
  timeout: 'how long to try in all, 300 by default',
  caFile: 'certificates of authorities that are trusted too (PEM)',
  expectedJobs: 'how many jobs will report: with so many the server closes the build, and no "done" is needed',
  wait: 'wait for the verdict, and end by it',
  waitTimeout: 'how long to wait for it, 600 by default',
  dryRun: 'do everything but sending, and say what would be sent',
  noFail: 'end with 0 whatever happens, and warn',
  json: 'the result as JSON',
} as const;

export const ENDPOINT_MISSING =
  'No coverage server is named. Give its address in COVERAGE_ENDPOINT (or COVERALLS_ENDPOINT), or with ' +
  '--endpoint=https://coverage.example. It is where this file was downloaded from.';

export const TOKEN_MISSING =
  'No repo token is known. Set COVERALLS_REPO_TOKEN (as a secret of the CI), or give --repo-token, or write it as ' +
  '"repo_token" into .coveralls.yml. The server shows it where the repo was created. In GitHub Actions a job with ' +
  '"permissions: id-token: write" needs none.';
