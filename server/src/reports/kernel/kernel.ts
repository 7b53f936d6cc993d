import { KERNEL_BYTES } from './kernel-bytes.ts';

/** What tools/kernel exports. Places are bytes of its memory. */
interface Exports {
  takeHits(from: number, packed: number, apart: number, result: number): number;
  takeBranches(from: number, packed: number, apart: number, result: number): number;
  readonly end: { readonly value: number };
}

/** The loops over numbers, compiled to WebAssembly, and the memory in which they read and write. */
export interface Kernel {
  readonly run: Exports;
  readonly bytes: Uint8Array;
  /** The same memory, in words. */
  readonly words: Uint32Array;
}

/** A window of text. */
export const TEXT_BYTES = 2 ** 18;
/** A part of what is packed has no more bytes than half of its text, and at least one more for the length of a run. */
export const PART_BYTES = TEXT_BYTES / 2 + 64;
/** Zeros behind the text, at which every loop ends. */
export const SLACK_BYTES = 64;

// Where they are in the kernel's memory.
export const RESULT = 0;
export const TEXT = 64;
export const PACKED = TEXT + TEXT_BYTES + SLACK_BYTES;

const PAGE = 65_536;
const PAGES = Math.ceil((PACKED + 3 * PART_BYTES) / PAGE);

let kernel: Kernel | undefined;

/** One of each thread, made when it is needed first. Nothing in its memory outlives a call of this room. */
export function openKernel(): Kernel {
  kernel ??= createKernel();
  return kernel;
}

function createKernel(): Kernel {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BYTES, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return {
    run: exports as unknown as Exports,
    bytes: new Uint8Array(memory.buffer),
    words: new Uint32Array(memory.buffer),
  };
}
