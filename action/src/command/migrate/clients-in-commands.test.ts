import { expect, test } from 'vitest';
import { nameClients } from './clients-in-commands.ts';

const named = (line: string) => nameClients(line, { from: 1, byVariable: true }).map(({ sentence }) => sentence);

test.each([
  ["sh 'bash <(curl -s https://codecov.io/bash) -t x'", 'The bash uploader only sends'],
  ['curl -Os https://uploader.codecov.io/latest/linux/codecov', "This fetches or checks Codecov's program"],
  ['curl https://keybase.io/codecovsecurity/pgp_keys.asc | gpg --import', "This fetches or checks Codecov's program"],
  ['python -m pip install --upgrade codecov-cli', "This installs Codecov's client"],
  ['yarn add -D codecov', "This installs Codecov's client"],
  ['npx --yes codecov', 'This client only sends to Codecov'],
  ['CODECOV_TOKEN="a b" ./codecov -f cov.xml', 'This client only sends to Codecov'],
  ['npm test && yarn codecov', 'This client only sends to Codecov'],
  ['sh "codecovcli do-upload"', 'This client only sends to Codecov'],
  ["steps { sh 'npx codecov' }", 'This client only sends to Codecov'],
  ['codecov -F a || codecov -F b', 'This client only sends to Codecov'],
  ['if [ -f x ]; then uv run codecov; fi', 'This client only sends to Codecov'],
  ['$GOPATH/bin/goveralls -coverprofile=c.out', 'goveralls takes'],
  ['cargo tarpaulin --out Xml --coveralls $TOKEN', 'cargo tarpaulin takes'],
  ['./mvnw -B test jacoco:report coveralls:report', '-DcoverallsUrl'],
  ['./gradlew check coverallsJacoco', 'apiEndpoint'],
  ['sbt clean coverage test coveralls', 'coverallsEndpoint :='],
  ['MIX_ENV=test mix coveralls.github', 'config :excoveralls'],
  ['php vendor/bin/php-coveralls -v', 'the entry point of php-coveralls'],
  ['curl -F json_file=@c.json https://coveralls.io/api/v1/jobs', 'Send it to'],
  ['cat ./coverage/lcov.info | ./node_modules/.bin/coveralls', 'COVERALLS_HOST'],
  ['python3 -m coveralls --service=github', 'COVERALLS_HOST'],
  ['coveralls report --parallel', 'COVERALLS_HOST'],
])('%s: %s', (line, said) => expect(named(line)).toEqual([expect.stringContaining(said)]));

test.each(['# npx codecov', '// sh "codecov"', 'echo codecov', 'cat codecov.yml', 'codecov.yml', 'name: coveralls'])(
  'no client: %s',
  (line) => expect(named(line)).toEqual([]),
);

test('each client in a line is named, in the order of the commands', () => {
  expect(named('pip install codecov-cli && codecovcli upload-process; npx coveralls')).toEqual([
    expect.stringContaining("This installs Codecov's client"),
    expect.stringContaining('This client only sends to Codecov'),
    expect.stringContaining('COVERALLS_HOST'),
  ]);
});
