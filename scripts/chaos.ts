// Long chaos on the built server: npm run chaos -- --minutes 5 [--store sqlite|mongodb] [--seed 123]. Ends with 1 after
// findings.
// `npm run chaos -- provider [--builds 1000 | --minutes 5]`: the same while three of ten calls of the git host fail.
// `npm run chaos -- steady --minutes 20`: one round, behind Caddy; a server is killed each minute.
// `--clocks-apart`: the clocks of servers and of MongoDB's members are 5 seconds apart.
import { parseArgs } from 'node:util';
import { CHAOS_SERVICES, findChaosHost, type LongChaos, runLongChaos } from '../test/support/chaos/long-chaos.ts';

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    builds: { type: 'string' },
    store: { type: 'string' },
    seed: { type: 'string' },
    host: { type: 'string', default: 'github' },
    'clocks-apart': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const ofProvider = positionals[0] === 'provider';
const isSteady = positionals[0] === 'steady';
const minutes = Number(values.minutes ?? (ofProvider ? 0 : 1));
const builds = Number(values.builds ?? (minutes > 0 ? 100 : 1_000));
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const stores = values.store === undefined ? (['sqlite', 'mongodb'] as const) : [values.store];
const areNumbers =
  minutes >= (isSteady ? 1 : 0) && Number.isSafeInteger(builds) && builds > 0 && Number.isSafeInteger(firstSeed);
const areWords =
  stores.every((store) => store === 'sqlite' || store === 'mongodb') &&
  positionals.length === (ofProvider || isSteady ? 1 : 0);
const host = findChaosHost(values.host);
if (!areNumbers || !areWords || host === undefined)
  throw new Error(
    'usage: npm run chaos -- [provider [--builds 1000] | steady] [--minutes 5] [--store sqlite|mongodb] ' +
      `[--clocks-apart] [--host ${CHAOS_SERVICES.join('|')}] [--seed 123]`,
  );

let findings = 0;
for (const store of stores as readonly LongChaos['store'][])
  findings += await runLongChaos({
    store,
    host,
    ofProvider,
    isSteady,
    areClocksApart: values['clocks-apart'],
    minutes,
    builds,
    firstSeed,
  });
if (findings > 0) process.exitCode = 1;
