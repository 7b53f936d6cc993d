import { describe } from 'vitest';
import { describeAnnouncing } from './provider/announcing-contract.ts';
import { describeChangedFiles } from './provider/changed-files-contract.ts';
import { describeDescriptions } from './provider/description-contract.ts';
import { describeFiles } from './provider/file-contract.ts';
import { describeHistories } from './provider/history-contract.ts';
import { describeHost } from './provider/host-contract.ts';
import { type Able, type OpenScene, USUAL } from './provider/scene.ts';

/** What every host answers through its public API. */
export function describeProvider(name: string, open: OpenScene, able: Able = USUAL): void {
  describe(`the provider for ${name}`, () => {
    describeHost(open, able);
    describeAnnouncing(open, able);
    describeDescriptions(open, able);
    describeHistories(open, able);
    describeChangedFiles(open, able);
    describeFiles(open);
  });
}
