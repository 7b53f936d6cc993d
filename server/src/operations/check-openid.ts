import { formatDuration } from '../core/duration.ts';
import * as say from '../messages/doctor.ts';
import { ProviderFailure } from '../ports/provider.ts';
import { type DoctorDeps, type Finding, failed, ok, skipped } from './check.ts';

/** Whether the OpenID provider answers, and how long what its groups give lasts. */
export async function checkOpenId({ openId, groupsMaxAge }: DoctorDeps): Promise<Finding> {
  if (openId === undefined) return skipped(say.NO_OPENID);
  const { name } = openId;
  try {
    const isAskedAgain = await openId.offersRefresh();
    if (groupsMaxAge === undefined) return ok(say.openIdAnswers(name));
    const age = formatDuration(groupsMaxAge);
    return ok(isAskedAgain ? say.groupsAskedAgain(name, age) : say.groupsEnd(name, age));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return failed(say.asSentence(error.message), say.MEND_OPENID);
  }
}
