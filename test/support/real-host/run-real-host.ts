import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startGitea } from './gitea-process.ts';
import { type GiteaService, tellGiteaStory } from './gitea-story.ts';

export interface RealHostOptions {
  /** For the host; else `<SERVICE>_BINARY`, or what is on PATH. */
  readonly binary?: string | undefined;
  /** Where the templates of a binary are that does not hold them. */
  readonly files?: string | undefined;
  /** One that runs already, whose administrator is `admin`: `<name>:<password>`. */
  readonly url?: string | undefined;
  readonly admin?: string | undefined;
}

const USAGE =
  'usage: npm run real-host -- gitea|forgejo [--binary <path> [--files <folder>] | --url <address> ' +
  '--admin <name>:<password>]';

/** Answers the exit code: 0 too where there is no such host, which is said. */
export async function runRealHost(
  services: readonly string[],
  options: RealHostOptions,
  print: (line: string) => void,
): Promise<number> {
  const [service] = services;
  if (services.length !== 1 || (service !== 'gitea' && service !== 'forgejo')) {
    print(USAGE);
    return 2;
  }
  const tell = (step: string) => print(`ok  ${step}`);
  if (options.url !== undefined) {
    const [name = '', ...password] = (options.admin ?? '').split(':');
    const admin = { name, password: password.join(':') };
    await tellGiteaStory(service, { url: options.url.replace(/\/$/, ''), admin }, tell);
    return 0;
  }
  const binary = options.binary ?? findBinary(service);
  if (binary === undefined || !existsSync(binary)) {
    print(noBinary(service, binary));
    return 0;
  }
  const host = await startGitea(binary, options.files);
  try {
    await tellGiteaStory(service, host, tell);
  } finally {
    await host.stop();
  }
  return 0;
}

export function findBinary(service: GiteaService): string | undefined {
  const named = process.env[`${service.toUpperCase()}_BINARY`];
  if (named) return named;
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, service));
  return places.find((place) => existsSync(place));
}

function noBinary(service: GiteaService, path = `${service} on PATH`): string {
  return `Skipped: there is no ${path}. Name the binary: npm run real-host -- ${service} --binary <path>.`;
}
