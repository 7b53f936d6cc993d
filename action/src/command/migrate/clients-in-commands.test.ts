import { expect, test } from 'vitest';
import * as say from '../../messages/command/migrate.ts';
import { nameClients } from './clients-in-commands.ts';

const named = (line: string) => nameClients(line, { from: 1, byVariable: true }).map(({ sentence }) => sentence);

test.each<[string, keyof typeof say.CLIENTS]>([
  ["sh 'bash <(curl -s https://codecov.io/bash) -t x'", 'bashUploader'],
  ['curl -Os https://uploader.codecov.io/latest/linux/codecov', 'codecovProgram'],
  ['curl https://keybase.io/codecovsecurity/pgp_keys.asc | gpg --import', 'codecovProgram'],
  ['python -m pip install --upgrade codecov-cli', 'codecovInstalled'],
  ['yarn add -D codecov', 'codecovInstalled'],
  ['npx --yes codecov', 'codecov'],
  ['CODECOV_TOKEN="a b" ./codecov -f cov.xml', 'codecov'],
  ['npm test && yarn codecov', 'codecov'],
  ['sh "codecovcli do-upload"', 'codecov'],
  ['if [ -f x ]; then uv run codecov; fi', 'codecov'],
  ['$GOPATH/bin/goveralls -coverprofile=c.out', 'goveralls'],
  ['cargo tarpaulin --out Xml --coveralls $TOKEN', 'tarpaulin'],
  ['./mvnw -B test jacoco:report coveralls:report', 'maven'],
  ['./gradlew check coverallsJacoco', 'gradle'],
  ['sbt clean coverage test coveralls', 'sbt'],
  ['MIX_ENV=test mix coveralls.github', 'excoveralls'],
  ['php vendor/bin/php-coveralls -v', 'phpCoveralls'],
  ['curl -F json_file=@c.json https://coveralls.io/api/v1/jobs', 'curl'],
  ['cat ./coverage/lcov.info | ./node_modules/.bin/coveralls', 'coveralls'],
  ['python3 -m coveralls --service=github', 'coveralls'],
  ['coveralls report --parallel', 'coveralls'],
])('%s', (line, client) => expect(named(line)).toEqual([say.CLIENTS[client]]));

test.each(['# npx codecov', '// sh "codecov"', 'echo codecov', 'cat codecov.yml', 'codecov.yml', 'name: coveralls'])(
  'no client: %s',
  (line) => expect(named(line)).toEqual([]),
);
