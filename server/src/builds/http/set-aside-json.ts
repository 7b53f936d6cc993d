import type { Build } from '../../core/builds/build.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { describeAttempt } from '../../wording/build-warnings.ts';
import type { SetAsideBuild } from '../list-set-aside.ts';

/** When and why a build was set aside; no key where it was not. */
export function setAsideJson({ attempts }: Pick<Build, 'attempts'>): Pick<Answer<'build'>, 'set_aside'> {
  if (attempts?.setAside === undefined) return {};
  const at = new Date(attempts.at).toISOString();
  return { set_aside: { at, attempts: attempts.count, reason: describeAttempt(attempts) } };
}

/** `GET /api/v1/builds/set-aside` */
export function presentSetAside(found: readonly SetAsideBuild[], addresses: Addresses): Answer<'setAsideList'> {
  return {
    builds: found.map(({ build, repo }) => ({
      id: String(build.id),
      url: addresses.build(build.id),
      number: build.number,
      service: repo.service,
      repo_name: repo.name,
      ...(setAsideJson(build) as Required<ReturnType<typeof setAsideJson>>),
    })),
  };
}
