import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { MovedTime } from './moved-time.ts';

/** Moves the time on: while a request hangs to the end of what waits for it, else to the end of a pause. */
export function skipHangs(github: Pick<GithubStandIn, 'requests'>, time: MovedTime): () => void {
  return () => {
    if (github.requests().some(({ hangs }) => hangs)) time.skipWait();
    else time.skipPause();
  };
}

/** The answer of `work`, during which the time is moved on. */
export async function advanceTimeUntil<T>(work: Promise<T>, skip: () => void): Promise<T> {
  const turns = setInterval(skip, 5);
  try {
    return await work;
  } finally {
    clearInterval(turns);
  }
}
