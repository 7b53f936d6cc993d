import {
  authenticate,
  authenticateReaderOf,
  type IdentifyReader,
  type IdentifyReaderOf,
} from '../access/browser/authenticate.ts';
import { createIdentifyBuildReader, type IdentifyBuildReaderDeps } from '../access/identify-build-reader.ts';
import { createIdentifyReader, type IdentifyDeps } from '../access/identify-caller.ts';
import type { Store } from '../storage/store.ts';
import type { Services } from './services.ts';

/** Who reads what; `store` shows what is public. */
export interface Readers {
  readonly identifyReader: IdentifyReader;
  readonly identifyJobReader: IdentifyReaderOf;
  readonly identifyBuildReader: IdentifyReaderOf;
}

export function composeReaders(
  services: Services,
  uploaders: Pick<IdentifyBuildReaderDeps, 'identifyUploader' | 'verifyIdToken'> & { readonly store: Store },
): Readers {
  const { hosts } = services;
  const { store, identifyUploader, verifyIdToken } = uploaders;
  const identifyReader = createIdentifyReader(identifyingOf(services));
  const shared = { identifyReader, identifyUploader, verifyIdToken, hosts, repos: store.repos };
  const findBuild = async (id: number | undefined) => (id === undefined ? undefined : store.builds.find(id));
  return {
    identifyReader: authenticate(identifyReader),
    identifyJobReader: authenticateReaderOf(
      createIdentifyBuildReader({
        ...shared,
        findBuild: async (id) => findBuild((await store.jobs.find(id))?.buildId),
      }),
    ),
    identifyBuildReader: authenticateReaderOf(createIdentifyBuildReader({ ...shared, findBuild })),
  };
}

/** What callers are known by. */
export function identifyingOf({ config, store, secrets, clock, hosts, groups }: Services): IdentifyDeps {
  const { tokens, repos, accounts } = store;
  const { adminToken, adminGroup } = config;
  return { tokens, repos, accounts, secrets, clock, adminToken, adminGroup, groups, hosts };
}
