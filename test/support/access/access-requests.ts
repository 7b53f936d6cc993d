import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { job } from '../coverage-api.ts';
import type { ForkRunOfAccess } from './access-forks.ts';
import type { AccessScene } from './access-scene.ts';
import { PULL_REQUEST, type Target, type Visibility } from './access-targets.ts';

/** Where a credential stands. */
export type Place = 'header' | 'query' | 'body';

/** Routes whose request changes what others ask about: each gets a repo of its own. */
const CHANGES = /^DELETE |^POST .*\/token$/;

/** The run and commit that jobs and closes are of. */
type About = Pick<AccessScene, 'run' | 'commit'>;

/** What a route needs beside its path; any other gets `{}` where it takes a body. */
const BODIES: readonly (readonly [route: RegExp, body: (about: About) => object])[] = [
  [/^POST .*\/repos$/, () => ({ repo: { service: 'manual', name: `acme/made-${++made}` } })],
  [/^PUT .*\/repos\/:service\/\*name$/, () => ({ repo: {} })],
  [/^POST .*\/share-links$/, () => ({ name: 'Board' })],
  [/^PUT .*\/members\/:account$/, () => ({ role: 'reader' })],
  [/^PUT .*\/base$/, () => ({ excluded: false })],
  [/^POST .*\/(?:accept|ratchet)$/, () => ({ reason: 'as agreed' })],
  [/^POST .*\/preview$/, ({ commit }) => ({ head_sha: commit })],
  [/^POST .*\/jobs$/, ({ run, commit }) => uploadOf(run, commit)],
  [/^POST \/webhook$/, ({ run }) => ({ payload: { build_num: run, status: 'done' } })],
  [/^POST \/rerun_build$/, ({ run }) => ({ build_num: run })],
];
type QueryOf = (about: About, target: Target) => Record<string, string>;
const QUERIES: readonly (readonly [route: RegExp, query: QueryOf])[] = [
  [/\/preview$/, (_, { service, name }) => ({ repo: `${service}/${name}` })],
  [/\/source(?:\.json)?$/, () => ({ filename: 'src/a.ts' })],
  [/\/file$/, () => ({ path: 'src/a.ts' })],
  [/^GET \/readyz\?verbose$/, () => ({ verbose: '' })],
  [/^GET \/rerun_build$/, ({ run }) => ({ build_num: run })],
];
let made = 0;

function uploadOf(run: string, commit: string): object {
  const { repo_token: _, ...fields } = job({ repo_token: '', commit_sha: commit, service_number: run });
  return { ...fields, parallel: true };
}

/** What the route is asked about: of a service that its path names, else a repo at the host. */
export async function targetOf(route: string, visibility: Visibility, scene: AccessScene): Promise<Target> {
  if (CHANGES.test(route)) return scene.freshOf({ visibility, hasBuild: route.includes('/builds/') });
  const targets = scene.targetsOf(visibility);
  const named = targets.find(({ service }) => route.split(' ')[1]?.startsWith(`/${service}/`));
  const found = named ?? targets.find(({ service }) => service === scene.service);
  if (found === undefined) throw new Error('there is no repo to ask about');
  return found;
}

export interface AskInput {
  readonly route: string;
  readonly target: Target;
  readonly place: Place;
  /** '' is none. */
  readonly credential: string;
  readonly scheme: 'token' | 'Bearer';
  /** The caller's own, which is named wherever a request can name one; default: that of the repo's builds. */
  readonly forkRun?: ForkRunOfAccess | undefined;
}

/** The status that the route answers to the credential. */
export async function ask(scene: AccessScene, input: AskInput): Promise<number> {
  const { route, target, place, credential, scheme, forkRun } = input;
  const about = forkRun ?? scene;
  const [method = '', address = ''] = route.split(' ');
  const [path = ''] = address.split('?');
  const given = credential === '' ? undefined : credential;
  const name = given?.startsWith('cvb_') ? 't' : 'repo_token';
  const query = new URLSearchParams({
    ...QUERIES.find(([form]) => form.test(route))?.[1](about, target),
    ...forkRun?.fields,
    ...(place === 'query' && given !== undefined && { [name]: given }),
  });
  const takesBody = method === 'POST' || method === 'PUT';
  const body = {
    ...BODIES.find(([form]) => form.test(route))?.[1](about),
    ...forkRun?.fields,
    ...(place === 'body' && given !== undefined && { repo_token: given }),
  };
  const headers = {
    'content-type': 'application/json',
    ...(place === 'header' && given !== undefined && { authorization: `${scheme} ${given}` }),
  };
  // What is previewed is a job, on a line of its own.
  const lines = path.endsWith('/preview') ? [body, uploadOf(scene.run, scene.commit)] : [body];
  const text = takesBody ? lines.map((line) => JSON.stringify(line)).join('\n') : '';
  return send(`${scene.url}${fill(path, target, scene)}?${query}`, { method, headers, text });
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Without fetch, which takes longer than the server. */
function send(
  url: string,
  { method, headers, text }: { readonly method: string; readonly headers: OutgoingHttpHeaders; readonly text: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...headers, 'content-length': Buffer.byteLength(text) } });
    sent.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(text);
  });
}

function fill(path: string, { service, name, build, job: jobId }: Target, { commit }: AccessScene): string {
  const [owner = '', repo = ''] = name.split('/');
  return path
    .replace(':service/:owner/*name', `${service}/${owner}/${repo}`)
    .replace(':service', service)
    .replace('*name', name)
    .replace(':sha', commit)
    .replace('*path', path.includes('/file/') ? 'src/a.ts' : 'src')
    .replace('/share-links/:id', '/share-links/1')
    .replace('/jobs/:id', `/jobs/${jobId}`)
    .replace(':commit', commit)
    .replace('*range', `${commit}...${commit}`)
    .replace(':number', PULL_REQUEST)
    .replace(':section', 'tokens')
    .replace(/:(?:id|reference)/, build);
}
