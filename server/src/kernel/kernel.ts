import { KERNEL_BYTES } from './kernel-bytes.ts';

/** What tools/kernel exports. Places are bytes of its memory. */
interface Exports {
  readHits(from: number, to: number): number;
  readBranches(from: number, to: number, apart: number): number;
  readonly end: { readonly value: number };
  packHits(from: number, count: number, runs: number, values: number, large: number, result: number): void;
  packBranches(
    from: number,
    apart: number,
    count: number,
    keys: number,
    values: number,
    large: number,
    result: number,
  ): number;
}

/** The loops over numbers, compiled to WebAssembly, and the memory in which they read and write. */
export interface Kernel {
  readonly run: Exports;
  readonly bytes: Uint8Array;
  readonly numbers: Int32Array;
}

/** A window of text, or the columns that are packed. */
export const INPUT_BYTES = 2 ** 18;
/** What is read or packed: no number takes fewer than two bytes of text, and none more than seven in all streams. */
export const OUTPUT_BYTES = 2 ** 19;
/** Behind the input: zeros, at which every loop ends. */
export const SLACK_BYTES = 64;

export const INPUT = 64;
export const OUTPUT = INPUT + INPUT_BYTES + SLACK_BYTES;

const PAGE = 65_536;
const PAGES = Math.ceil((OUTPUT + OUTPUT_BYTES + SLACK_BYTES) / PAGE);

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
    numbers: new Int32Array(memory.buffer),
  };
}
