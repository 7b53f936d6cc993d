import type { BuildJson } from '@coverage/shared';
import type { Service } from '../service.ts';
import { waitFor } from '../wait-for.ts';

export interface Closing {
  readonly token: string;
  /** The build's id. */
  readonly build: string;
  /** The build's service_number. */
  readonly number: string;
  readonly carryforward?: string | undefined;
}

/**
 * Closes a build and answers it as soon as its close is written, or answered: the webhook looks for the result ever
 * more seldom, and a test that closes hundreds of builds would mostly wait for that.
 */
export async function closeBuild(
  service: Service,
  { token, build, number, carryforward }: Closing,
): Promise<BuildJson> {
  const closes = async (): Promise<number> => (await service.store.builds.find(Number(build)))?.result?.closeCount ?? 0;
  const before = await closes();
  let answered = false;
  const answer = service.close(token, number, carryforward).finally(() => {
    answered = true;
  });
  // Where it fails, the race below does.
  answer.catch(() => undefined);
  const written = waitFor(async () => answered || (await closes()) > before, {
    what: `the close of ${number}`,
    intervalMs: 5,
  });
  await Promise.race([answer, written]);
  return answered ? answer : service.build(build);
}
