import { access } from './access.ts';
import type { Attack } from './attack.ts';
import { bodies } from './bodies.ts';
import { busyRepo } from './busy-repo.ts';
import { cheapRequests } from './cheap-requests.ts';
import { forgedSignatures } from './forged-signatures.ts';
import { forkStorage } from './fork-storage.ts';
import { forkUploads } from './fork-uploads.ts';
import { gitlabForks } from './gitlab-forks.ts';
import { hostileCheckout } from './hostile-checkout.ts';
import { hostileTexts } from './hostile-texts.ts';
import { largeMerges } from './large-merges.ts';
import { largePages } from './large-pages.ts';
import { lostGroups } from './lost-groups.ts';
import { madeUpTokens } from './made-up-tokens.ts';
import { mainOfForks } from './main-of-forks.ts';
import { mainThread } from './main-thread.ts';
import { pureParts } from './pure-parts.ts';
import { signIn } from './sign-in.ts';
import { strayTokens } from './stray-tokens.ts';
import { unknownUploads } from './unknown-uploads.ts';
import { vouchedRuns } from './vouched-runs.ts';

/** What `npm run attack` runs, in this order. A new attack is a file beside this one, and a line here. */
export const ATTACKS: readonly Attack[] = [
  pureParts,
  cheapRequests,
  mainThread,
  largePages,
  bodies,
  unknownUploads,
  largeMerges,
  busyRepo,
  access,
  vouchedRuns,
  forkUploads,
  forkStorage,
  mainOfForks,
  gitlabForks,
  madeUpTokens,
  strayTokens,
  hostileCheckout,
  hostileTexts,
  forgedSignatures,
  signIn,
  lostGroups,
];
