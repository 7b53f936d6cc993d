import { job } from '../coverage-api.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { type Attack, atMost } from './attack.ts';

const FIELDS = ['service_name', 'service_number', 'service_job_id', 'service_branch', 'flag_name', 'commit_sha'];

/** Tokens of every kind in fields, paths, queries and headers that are none for them. */
export const strayTokens: Attack = {
  name: 'stray-tokens',
  async run(start) {
    const attacked = await start({ LOG_LEVEL: 'debug', GITHUB_API_URL: 'http://127.0.0.1:9' });
    const tokens = [
      attacked.token,
      `cvp_${'p'.repeat(43)}`,
      `cvb_${'b'.repeat(43)}`,
      `ghp_${'0aZ'.repeat(12)}`,
      attacked.server.adminToken,
    ];
    const answers: string[] = [];
    const accepted: string[] = [];
    for (const token of tokens) {
      for (const { what, path, init, mayBeTaken } of requestsWith(token, attacked)) {
        const { status, text, headers } = await attacked.api.send(path, init);
        answers.push(`${text} ${JSON.stringify([...headers])}`);
        if (status < 300 && mayBeTaken !== true) accepted.push(what);
      }
    }
    const lines = attacked.server.output();
    const holding = (texts: readonly string[]): number =>
      texts.filter((text) => tokens.some((token) => text.includes(token))).length;
    const attack = `${tokens.length} tokens in ${answers.length} wrong places`;
    return [
      atMost(0, { attack, of: 'taken', measured: accepted.length, unit: 'requests' }),
      atMost(0, { attack, of: 'repeated', measured: holding(answers), unit: 'answers' }),
      atMost(0, { attack, of: `repeated in ${lines.length} log lines`, measured: holding(lines), unit: 'lines' }),
    ];
  },
};

interface Sent {
  readonly what: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly mayBeTaken?: boolean;
}

function requestsWith(token: string, { token: own }: AttackedServer): readonly Sent[] {
  const post = (path: string, body: object): Pick<Sent, 'path' | 'init'> => ({
    path,
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  });
  const upload = (what: string, value: string): Sent => ({
    what,
    ...post('/api/v1/jobs', { ...job({ repo_token: own }), [what]: value }),
  });
  const text = encodeURIComponent(token);
  return [
    ...FIELDS.map((field) => upload(field, `x ${token}`)),
    { what: 'build_num', ...post('/webhook', { repo_token: own, payload: { build_num: token } }) },
    { what: 'build_num', path: `/rerun_build?repo_token=${own}&build_num=${text}` },
    { what: 'branch', path: `/manual/acme/shop.json?repo_token=${own}&branch=${text}` },
    { what: 'a path', path: `/builds/${text}.json` },
    { what: 'a scheme', path: '/builds/1.json', init: { headers: { authorization: `${token} x` } } },
    { what: 'X-Request-Id', path: '/healthz', init: { headers: { 'x-request-id': token } }, mayBeTaken: true },
  ];
}
