import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** package.json says the version; these name it where a file cannot ask. */
const PLACES = [
  'CHANGELOG.md',
  'deploy/Dockerfile',
  'deploy/compose.mongodb.yml',
  'deploy/compose.sqlite.yml',
  'deploy/helm/coverage-service/Chart.yaml',
  'deploy/kubernetes/backup.yaml',
  'docs/deploy.md',
  'docs/quickstart.md',
];
const NAMED = /(?<=coverage-service[-:]|VERSION=|COVERAGE_VERSION:-|^version: |^appVersion: "|^## )\d+\.\d+\.\d+/gm;

export function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }).version;
}

/** Which versions each place names; of the changelog the newest counts. */
export function namedVersions(root: string): readonly (readonly [place: string, version: string])[] {
  return PLACES.flatMap((place) => {
    const named = readFileSync(join(root, place), 'utf8').match(NAMED) ?? ['none'];
    return (place === 'CHANGELOG.md' ? named.slice(0, 1) : named).map((version) => [place, version] as const);
  });
}

/** Has every place name another version; the changelog gets a heading for it. */
export function setVersion(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`A version is three numbers, such as 1.2.3, not ${version}.`);
  const before = versionOf(root);
  const change = (file: string, how: (text: string) => string): void =>
    writeFileSync(join(root, file), how(readFileSync(join(root, file), 'utf8')));
  for (const place of PLACES)
    change(place, (text) =>
      place === 'CHANGELOG.md' ? text.replace('\n## ', `\n## ${version}\n\n## `) : text.replace(NAMED, version),
    );
  for (const file of ['package.json', 'package-lock.json'])
    change(file, (text) => text.replaceAll(ofOurs(before), `$1"version": "${version}"`));
}

/** The package's own version, and in the lockfile that of its root. */
function ofOurs(version: string): RegExp {
  return new RegExp(`("name": "coverage-service",\\s+)"version": "${version.replaceAll('.', '\\.')}"`, 'g');
}
