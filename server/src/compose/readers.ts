import { authenticate, authenticateReaderOf } from '../access/browser/authenticate.ts';
import { identifyBuildReader, type MeantBuild } from '../access/identify-build-reader.ts';
import { identifyCaller, identifyReader } from '../access/identify-caller.ts';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import { withVisibility } from '../repos/visible-repos.ts';
import type { Services } from '../services/services.ts';

type Readers = Pick<Services, 'identifyCaller' | 'identifyReader' | 'identifyJobReader' | 'identifyBuildReader'>;

export function composeReaders(uploaders: UploaderServices): Readers {
  const { repos, builds, jobs } = withVisibility(uploaders.store, uploaders.config);
  const find = async (buildId: number | undefined): Promise<MeantBuild | undefined> => {
    const build = buildId === undefined ? undefined : await builds.find(buildId);
    const repo = build && (await repos.find(build.repoId));
    return build && repo && { build, repo };
  };
  const readerOf = (buildOf: (id: number) => Promise<number | undefined>) =>
    authenticateReaderOf((asking, reference) =>
      identifyBuildReader(uploaders, asking, async () =>
        /^\d{1,15}$/.test(reference) ? find(await buildOf(Number(reference))) : undefined,
      ),
    );
  return {
    identifyCaller: authenticate((credentials) => identifyCaller(uploaders, credentials)),
    identifyReader: authenticate((credentials) => identifyReader(uploaders, credentials)),
    identifyJobReader: readerOf(async (id) => (await jobs.find(id))?.buildId),
    identifyBuildReader: readerOf(async (id) => id),
  };
}
