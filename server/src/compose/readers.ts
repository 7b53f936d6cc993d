import { authenticate, authenticateReaderOf } from '../access/browser/authenticate.ts';
import { createIdentifyBuildReader, type IdentifyBuildReaderDeps } from '../access/identify-build-reader.ts';
import { type Credentials, identifyCaller, identifyReader } from '../access/identify-caller.ts';
import { withVisibility } from '../repos/visible-repos.ts';
import type { Services } from '../services/services.ts';
import type { ServerServices } from './services.ts';

type Readers = Pick<Services, 'identifyCaller' | 'identifyReader' | 'identifyJobReader' | 'identifyBuildReader'>;

export function composeReaders(
  services: ServerServices,
  { identifyUploader, verifyIdToken }: Pick<IdentifyBuildReaderDeps, 'identifyUploader' | 'verifyIdToken'>,
): Readers {
  const { hosts, config } = services;
  const store = withVisibility(services.store, config);
  const reader = (credentials: Credentials) => identifyReader(services, credentials);
  const shared = { identifyReader: reader, identifyUploader, verifyIdToken, hosts, repos: store.repos };
  const findBuild = async (id: number | undefined) => (id === undefined ? undefined : store.builds.find(id));
  return {
    identifyCaller: authenticate((credentials) => identifyCaller(services, credentials)),
    identifyReader: authenticate(reader),
    identifyJobReader: authenticateReaderOf(
      createIdentifyBuildReader({
        ...shared,
        findBuild: async (id) => findBuild((await store.jobs.find(id))?.buildId),
      }),
    ),
    identifyBuildReader: authenticateReaderOf(createIdentifyBuildReader({ ...shared, findBuild })),
  };
}
