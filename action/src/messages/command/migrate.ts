export const OUR_COMMAND =
  'curl -fsS "$COVERAGE_ENDPOINT/cli.mjs" -o coverage.mjs, then node coverage.mjs report, with --job-flag=<flag> for ' +
  'a flag and the reports by name if they are not found. COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN are variables of ' +
  'the CI.';

/** What to do with a command that runs a client of another service. */
export const CLIENTS = {
  bashUploader: `The bash uploader sends to Codecov alone. Run in its place: ${OUR_COMMAND}`,
  codecov: `This client sends to Codecov alone. Run in its place: ${OUR_COMMAND}`,
  codecovProgram: "This fetches or checks Codecov's program, which sends to Codecov alone. Remove it.",
  codecovInstalled: "This installs Codecov's client, which sends to Codecov alone. Remove it.",
  coveralls:
    'coveralls reads the address of this server from COVERALLS_ENDPOINT, the PyPI package from COVERALLS_HOST. Set ' +
    'it beside COVERALLS_REPO_TOKEN in the variables of the CI.',
  goveralls: 'goveralls takes the address of this server by -endpoint <address>, and the token by -repotoken.',
  tarpaulin: 'cargo tarpaulin takes the address of this server by --report-uri <address>/api/v1/jobs.',
  maven: 'The plugin takes the address of this server by -DcoverallsUrl=<address>/api/v1/jobs.',
  gradle: 'Set apiEndpoint = "<address>/api/v1/jobs" in the block of the plugin in the build file.',
  sbt: 'Set coverallsEndpoint := Some("<address>") in the build file.',
  excoveralls: 'Set config :excoveralls, endpoint: "<address>" in config/config.exs.',
  phpCoveralls: 'Set the entry point of php-coveralls to the address of this server in .coveralls.yml.',
  curl: 'Send it to <address>/api/v1/jobs of this server, with its repo token.',
} as const;
