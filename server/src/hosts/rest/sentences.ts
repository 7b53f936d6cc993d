import type { Counts, Texts } from '../../core/sentences.ts';

/** The names of a host in sentences. */
export interface HostWords {
  readonly name: string;
  /** The setting that says where it is. */
  readonly address: string;
}

// What goes wrong on the way to any host that is asked by plain requests.

export function toldToWait({ name }: HostWords): string {
  return `${name} asks us to wait before the next request.`;
}

export function tooSlow({ name }: HostWords, seconds: number, task: string): string {
  return `${name} did not answer within ${seconds} s when asked to ${task}.`;
}

export function notHost({ name, address }: HostWords, task: string): string {
  return (
    `The answer did not come from ${name} when it was asked to ${task}; ` + `check ${address} and any proxy on the way.`
  );
}

export function askedToWait({ name }: HostWords, status: number, task: string): string {
  return `${name} answered ${status} when asked to ${task}: it asks us to wait.`;
}

export function connectionFailed({ name, address }: HostWords, why: string, task: string): string {
  return `The connection to ${name} failed (${why}) when asked to ${task}; check ${address} and the network.`;
}

export function refused(
  { name }: HostWords,
  { status, said, task, meaning }: Texts<'said' | 'task' | 'meaning'> & Counts<'status'>,
): string {
  return `${name} answered ${status}${said} when asked to ${task}: ${meaning}.`;
}
