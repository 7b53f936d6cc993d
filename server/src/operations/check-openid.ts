import { formatDuration } from '../core/duration.ts';
import { ProviderFailure } from '../ports/provider.ts';
import { type DoctorDeps, type Finding, failed, ok, skipped } from './check.ts';
import { asSentence } from './sentences.ts';

/** Whether the OpenID provider answers, and how long what its groups give lasts. */
export async function checkOpenId({ openId, groupsMaxAge }: DoctorDeps): Promise<Finding> {
  if (openId === undefined) return skipped('No OpenID provider is set up.');
  const { name } = openId;
  try {
    const isAskedAgain = await openId.offersRefresh();
    if (groupsMaxAge === undefined) return ok(`${name} answers; its groups are not used here.`);
    const age = formatDuration(groupsMaxAge);
    return ok(
      isAskedAgain
        ? `${name} answers. Groups count for ${age}; it offers offline_access, so it is asked for them again in time.`
        : `${name} answers. It offers no offline_access: rights through groups end ${age} after each sign-in.`,
    );
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return failed(asSentence(error.message), 'Check OIDC_ISSUER, and that this machine can reach it.');
  }
}
