import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { notFound } from './answer.ts';
import type { World } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf } from './operation.ts';
import { PERMISSIONS, presentApp } from './present-app.ts';

/** What a form asks GitHub to make an App of (docs.github.com, "Registering a GitHub App from a manifest"). */
export interface AppManifest {
  readonly name: string;
  readonly url: string;
  readonly hook_attributes: { readonly url: string; readonly active?: boolean };
  readonly redirect_url: string;
  readonly callback_urls: readonly string[];
  readonly public: boolean;
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
}

/** A manifest that was sent, and its owner. */
export interface SentManifest {
  /** Undefined: for the person's own account. */
  readonly organization: string | undefined;
  readonly manifest: AppManifest;
}

export const manifestOperations: readonly Operation[] = [
  { method: 'POST', template: '/app-manifests/{code}/conversions', run: convert },
];

/** GitHub's page that makes an App of a form; undefined: it is another page. The person agrees at once. */
export function answerManifestForm(world: World, request: IncomingMessage, body: string): Answer | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  const [, organization] = /^(?:\/organizations\/([\w-]+))?\/settings\/apps\/new$/.exec(pathname) ?? [undefined, ''];
  if (organization === '' || request.method !== 'POST') return undefined;
  const manifest = JSON.parse(new URLSearchParams(body).get('manifest') ?? '') as AppManifest;
  const code = randomBytes(20).toString('hex');
  world.manifests.set(code, { organization, manifest });
  const back = new URL(manifest.redirect_url);
  back.searchParams.set('code', code);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  return { status: 302, headers: { location: back.toString() } };
}

let keys: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** One pair for all Apps of a process: a new one takes a tenth of a second. */
function keysOfApps(): ReturnType<typeof makeKeys> {
  keys ??= makeKeys();
  return keys;
}

/** A code works once. */
function convert(call: Call): Answer {
  const { world } = call;
  const code = paramOf(call, 'code');
  const sent = world.manifests.get(code);
  if (sent === undefined) throw notFound();
  world.manifests.delete(code);
  const { privateKey, publicKey } = keysOfApps();
  const app = { id: world.nextId('app'), slug: sent.manifest.name.toLowerCase().replaceAll(/\W+/g, '-'), publicKey };
  world.apps.apps.set(app.id, app);
  const webhookSecret = randomBytes(20).toString('hex');
  world.webhookSecrets.push(webhookSecret);
  const clientSecret = randomBytes(20).toString('hex');
  const presented = presentApp(world, app);
  world.oauth.app = { clientId: String(presented.client_id), clientSecret };
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  world.appSecrets.push(pem, clientSecret);
  const made = {
    ...presented,
    name: sent.manifest.name,
    html_url: `${new URL(world.apiUrl).origin}/apps/${app.slug}`,
    permissions: { ...PERMISSIONS, ...sent.manifest.default_permissions },
    events: sent.manifest.default_events,
    client_secret: clientSecret,
    webhook_secret: webhookSecret,
    pem,
  };
  return { status: 201, body: made };
}
