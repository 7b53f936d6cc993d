import { formatDuration } from '../core/duration.ts';
import type { Timers } from '../platform/timers.ts';
import { ProviderFailure } from '../ports/provider.ts';
import { asSentence, type Check, type Examined, type Finding, failed, ok, skipped, warning } from './check.ts';
import { checkBaseUrl } from './check-base-url.ts';
import { hostChecks } from './host-checks.ts';
import { storeChecks } from './store-checks.ts';

const SEE_LOG = "See the server's log.";

export interface Examination {
  /** The worst of the checks. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly checks: readonly (Finding & { readonly name: string })[];
}

/** Longer than any check takes by itself, in ms. */
const TIME_LIMIT = 15_000;

/** Everything that the server needs, looked at once; everybody who asks in the meantime gets the same answer. */
export function createExamineServer(depsNow: () => Examined): () => Promise<Examination> {
  let running: Promise<Examination> | undefined;
  return () => {
    running ??= examine(depsNow()).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function examine(deps: Examined): Promise<Examination> {
  const checks: readonly Check[] = [
    { name: 'settings', run: () => checkSettings(deps) },
    ...storeChecks(deps),
    { name: 'base-url', run: () => checkBaseUrl(deps) },
    ...deps.hosts.all.flatMap((host) => hostChecks(host, deps)),
    { name: 'openid', run: () => checkOpenId(deps) },
  ];
  const found = await Promise.all(
    checks.map(async (check) => ({ name: check.name, ...(await runBounded(check, deps.timers)) })),
  );
  const has = (state: Finding['state']): boolean => found.some((one) => one.state === state);
  return { status: has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok', checks: found };
}

function checkSettings({ warnings }: Examined): Finding {
  return warnings.length === 0
    ? ok('Every setting is known, and none is weak.')
    : warning(warnings.join(' '), 'Change these environment variables, and start the server again.');
}

async function runBounded(check: Check, timers: Timers): Promise<Finding> {
  const late = Promise.withResolvers<Finding>();
  const timer = timers.start(TIME_LIMIT, () =>
    late.resolve(failed(`There was no response within ${TIME_LIMIT / 1_000} seconds.`, SEE_LOG)),
  );
  try {
    return await Promise.race([Promise.resolve(check.run()), late.promise]);
  } catch (error) {
    return failed(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`, SEE_LOG);
  } finally {
    timer.cancel();
  }
}

/** Whether the OpenID provider answers, and how long what its groups give lasts. */
async function checkOpenId({ openId, groupsMaxAge }: Examined): Promise<Finding> {
  if (openId === undefined) return skipped('No OpenID provider is set up.');
  const { name } = openId;
  try {
    const isAskedAgain = await openId.offersRefresh();
    if (groupsMaxAge === undefined) return ok(`${name} answers; its groups are not used here.`);
    const age = formatDuration(groupsMaxAge);
    return ok(
      isAskedAgain
        ? `${name} answers. Groups count for ${age}; it offers offline_access, so they are renewed before that.`
        : `${name} answers. It offers no offline_access: rights through groups end ${age} after each sign-in.`,
    );
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return failed(asSentence(error.message), 'Check OIDC_ISSUER, and that this machine can reach it.');
  }
}
