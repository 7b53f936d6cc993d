// What an archive says about what is in it: a bill of materials and the licenses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Module } from './production-modules.ts';

export interface Described {
  readonly root: string;
  readonly version: string;
  readonly commit: string;
  /** Seconds since 1970: the commit's. */
  readonly time: number;
  readonly modules: readonly Module[];
  readonly node: { readonly version: string; readonly platform: string; readonly license: string };
}

/** CycloneDX 1.5 as JSON: without a serial number, so that the same commit gives the same bytes. */
export function billOfMaterials({ version, commit, time, modules, node }: Described): string {
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(time * 1_000).toISOString(),
      component: {
        'bom-ref': `coverage-service@${version}`,
        type: 'application',
        name: 'coverage-service',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'commit', value: commit }],
      },
    },
    components: [
      {
        'bom-ref': `node@${node.version}`,
        type: 'application',
        name: 'node',
        version: node.version,
        licenses: [{ license: { name: 'Node.js and what is bundled with it: see THIRD-PARTY-NOTICES.txt' } }],
        purl: `pkg:generic/node@${node.version}?os=${node.platform.replace('-', '&arch=')}`,
      },
      ...modules.map(component),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component({ name, version, license = '', integrity, path }: Module) {
  const [algorithm, digest = ''] = integrity?.split('-', 2) ?? [];
  const hashes = [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
  return {
    'bom-ref': path,
    type: 'library',
    name,
    version,
    ...(algorithm === 'sha512' ? { hashes } : {}),
    licenses: [{ license: { id: license } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/** Name, version and license of each module and of Node, with the texts that they come with. */
export function thirdPartyNotices({ root, modules, node }: Described): string {
  const ours = modules.map((one) => {
    const texts = readdirSync(join(root, one.path))
      .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
      .map((name) =>
        readFileSync(join(root, one.path, name), 'utf8')
          .replaceAll('\r\n', '\n')
          .trim(),
      );
    const said = texts.length > 0 ? texts.join('\n\n') : withoutText(root, one);
    return `${one.name} ${one.version} (${one.license})\n\n${said}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  const head = 'What coverage-service contains of others, with their licenses.\n';
  return [head, ...ours, `Node.js ${node.version}\n\n${node.license.trim()}\n`].join(rule);
}

/** Some packages name their license in package.json alone. */
function withoutText(root: string, { path, license }: Module): string {
  const about = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { author } = about as { author?: string | { name?: string } };
  const by = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  return `By ${by}. The package comes without the text of its license, which is ${license}.`;
}
