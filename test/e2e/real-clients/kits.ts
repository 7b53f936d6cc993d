import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtures } from '../../support/fixture-reports.ts';
import { type ClientKit, installStep } from './client-cache.ts';

const NPM = [
  'install',
  '--no-audit',
  '--no-fund',
  '--no-save',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--prefix',
  '.',
];
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=1', '--target', '.'];
const GIT = ['git', '--version'] as const;
const PYTHON = ['python3', '-m', 'pip', '--version'] as const;

function npmKit(name: string, version: string): ClientKit {
  const install = (directory: string): Promise<void> => installStep(directory, {}, 'npm', ...NPM, `${name}@${version}`);
  return { name: `npm-${name}-${version}`, tools: [GIT, ['npm', '--version']], install };
}

function pythonKit(name: string, packages: readonly string[], tools: ClientKit['tools'] = []): ClientKit {
  return {
    name,
    tools: [GIT, PYTHON, ...tools],
    install: (directory) => installStep(directory, {}, 'python3', ...PIP, ...packages),
  };
}

export const coverallsNode = npmKit('coveralls', '3.1.1');
export const coverallsNext = npmKit('coveralls-next', '6.0.2');

export const coverallsPython = pythonKit('pypi-coveralls-4.1.0', [
  'coveralls==4.1.0',
  'coverage==7.17.3',
  'pytest==8.3.5',
  'requests==2.34.2',
]);

const CPLUSPLUS: ClientKit['tools'] = [
  ['g++', '--version'],
  ['gcov', '--version'],
];
export const gcovr = pythonKit('pypi-gcovr-8.8', ['gcovr==8.8'], [...CPLUSPLUS, ['curl', '--version']]);
export const cppCoveralls = pythonKit(
  'pypi-cpp-coveralls-0.4.2',
  ['cpp-coveralls==0.4.2', 'requests==2.34.2', 'PyYAML==6.0.3', 'future==1.0.0'],
  CPLUSPLUS,
);

/** For the Go toolchain: what it builds and downloads stays in the client's folder. */
export function goEnvironment(directory: string): Record<string, string> {
  return {
    GOBIN: join(directory, 'bin'),
    GOCACHE: join(directory, 'build'),
    GOPATH: join(directory, 'path'),
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
  };
}

/** A small Java program and its test. */
export const tillProject = join(fixtures, 'clients/till');
/** A small Go program and its tests. */
export const ledgerProject = join(fixtures, 'sources/ledger');

export const goveralls: ClientKit = {
  name: 'goveralls-0.0.12',
  tools: [GIT, ['go', 'version']],
  async install(directory) {
    const environment = goEnvironment(directory);
    await installStep(directory, environment, 'go', 'install', 'github.com/mattn/goveralls@v0.0.12');
    // Compiles what every test run needs into the cache.
    await installStep(ledgerProject, environment, 'go', 'test', '-coverpkg=./...', './...');
  },
};

/** Its folder holds a Maven repository with all that building the till and its report takes. */
export const mavenPlugin: ClientKit = {
  name: 'coveralls-maven-plugin-5.0.0',
  tools: [GIT, ['javac', '-version'], ['mvn', '-version']],
  async install(directory) {
    const project = join(directory, 'till');
    await cp(tillProject, project, { recursive: true });
    await installStep(
      project,
      {},
      'mvn',
      ...mavenArguments(directory),
      'test',
      'coveralls:report',
      '-Dcoveralls.skip=true',
    );
  },
};

/** What makes Maven use the repository in the client's folder. */
export function mavenArguments(directory: string): readonly string[] {
  return ['--batch-mode', '--quiet', `-Dmaven.repo.local=${join(directory, 'repository')}`];
}
