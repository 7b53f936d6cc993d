// What is said while something takes long.
import type { Counts, Texts } from './values.ts';

/** `412 bytes`, `12.3 MB` */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function reading(path: string, { read, size, seconds }: Counts<'read' | 'size' | 'seconds'>): string {
  return `Still reading ${path}: ${byteText(read)} of ${byteText(size)}, ${seconds} s so far`;
}

export function sending(url: string, { bytes, tries, seconds }: Counts<'bytes' | 'tries' | 'seconds'>): string {
  return `Still sending ${byteText(bytes)} to ${url}: try ${tries}, ${seconds} s so far`;
}

export function asking(url: string, { tries, seconds }: Counts<'tries' | 'seconds'>): string {
  return `Still waiting for an answer from ${url}: try ${tries}, ${seconds} s so far`;
}

export function waiting({ state, url, seconds }: Texts<'state' | 'url'> & Counts<'seconds'>): string {
  return `Still waiting for the verdict (${state}), ${seconds} s so far: ${url}`;
}

export const OPEN = 'the build is open';

export const PROVISIONAL = 'it is provisional, the git host has not answered yet';
