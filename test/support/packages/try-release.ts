import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../child-process.ts';
import { releaseJobs } from '../repo-checks/own-workflows.ts';
import { versionOf } from './versions.ts';

export { setVersion } from './versions.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Asked {
  /** A folder that gets what would be published. */
  readonly to: string;
  /** Default: all. */
  readonly platforms?: readonly string[] | undefined;
  readonly tell: (line: string) => void;
}

/**
 * A release as a tag would make it, published nowhere: the steps of release.yml themselves, in a clone whose origin is
 * another clone, with a `gh` that only notes what it was asked.
 */
export function tryRelease({ to, platforms = [], tell }: Asked): void {
  const tag = `v${versionOf(root)}`;
  const place = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const sandbox = openSandbox(place, tag);
    const { step, folder } = sandbox;
    step('action', 'The tag is the version, and lies on main');
    step('server', 'The tag is the version that the packages and the chart say');
    const asked = platforms.flatMap((platform) => ['--platform', platform]);
    execFileSync(process.execPath, ['scripts/package.ts', '--to', folder, ...asked], { cwd: root, stdio: 'inherit' });
    for (const file of ['action/dist/main.js', 'action.yml'])
      copyFileSync(join(root, file), join(folder, file.split('/').at(-1) ?? file));
    step('publish', 'Checksums');
    writeFileSync(sandbox.provenance, `${JSON.stringify(statementOf(folder, sandbox), undefined, 2)}\n`);
    step('publish', 'Notes, from the changelog');
    step('publish', 'Release');
    step('publish', 'The tag of the major version follows, never back');
    mkdirSync(to, { recursive: true });
    cpSync(folder, to, { recursive: true });
    copyFileSync(join(sandbox.checkout, 'notes.md'), join(to, 'notes.md'));
    for (const file of readdirSync(to).sort()) tell(`  ${file}`);
    for (const line of sandbox.tags()) tell(`  tag ${line}`);
    tell(`  ${readFileSync(sandbox.asked, 'utf8').trim()}`);
    tell(`A release ${tag} would be this. Nothing was published, and its provenance is not signed: ${to}`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

interface Sandbox {
  readonly checkout: string;
  /** Its folder of what is released. */
  readonly folder: string;
  readonly provenance: string;
  /** What `gh` was asked. */
  readonly asked: string;
  readonly tag: string;
  readonly commit: string;
  /** Runs a step of release.yml. */
  step(job: string, name: string): void;
  /** Those of the origin that name this commit. */
  tags(): readonly string[];
}

function openSandbox(place: string, tag: string): Sandbox {
  const origin = join(place, 'origin.git');
  const checkout = join(place, 'checkout');
  const bin = join(place, 'bin');
  const git = (cwd: string | undefined, ...args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd, env: inheritedEnvironment(), encoding: 'utf8' }).trim();
  const commit = git(root, 'rev-parse', 'HEAD');
  git(root, 'clone', '--quiet', '--bare', root, origin);
  if (git(origin, 'tag', '--list', tag) !== '') throw new Error(`${tag} is a tag already: set another version.`);
  git(origin, 'update-ref', 'refs/heads/main', commit);
  git(origin, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  git(place, 'clone', '--quiet', origin, checkout);
  git(checkout, 'tag', tag);
  git(checkout, 'push', '--quiet', 'origin', tag);
  const folder = join(checkout, 'release');
  for (const made of [folder, bin]) mkdirSync(made);
  const asked = join(place, 'asked');
  writeFileSync(join(bin, 'gh'), '#!/bin/sh\necho "gh $*" >> "$ASKED"\n', { mode: 0o755 });
  const provenance = join(place, 'provenance.json');
  const own = { TAG: tag, GITHUB_SHA: commit, PROVENANCE: provenance, ASKED: asked, GH_TOKEN: 'none' };
  const inherited = inheritedEnvironment();
  const env = { ...inherited, ...own, PATH: `${bin}:${inherited.PATH ?? ''}` };
  return {
    ...{ checkout, folder, provenance, asked, tag, commit },
    step(job, name) {
      const found = releaseJobs()[job]?.steps.find((one) => one.name === name);
      if (found?.run === undefined) throw new Error(`release.yml has no step "${name}" in the job ${job}.`);
      const cwd = join(checkout, found['working-directory'] ?? '');
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', found.run], {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    },
    tags: () =>
      git(origin, 'for-each-ref', '--format=%(refname:short) %(objectname)', '--points-at', commit, 'refs/tags').split(
        '\n',
      ),
  };
}

/** What GitHub would sign: each file by its digest, and what it was made from. */
function statementOf(folder: string, { tag, commit }: Sandbox): object {
  const digestOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: readdirSync(folder)
      .sort()
      .map((name) => ({ name, digest: { sha256: digestOf(name) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://actions.github.io/buildtypes/workflow/v1',
        externalParameters: { workflow: { ref: `refs/tags/${tag}`, path: '.github/workflows/release.yml' } },
        resolvedDependencies: [{ uri: `git+file://checkout@refs/tags/${tag}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: 'a dry run: nobody signed this' } },
    },
  };
}
