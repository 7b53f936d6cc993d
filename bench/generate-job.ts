/** How big a generated job is. */
export interface JobShape {
  readonly name: 'S' | 'M' | 'L' | 'XL';
  readonly files: number;
  /** Mean lines of a file. */
  readonly lines: number;
  /** Mean lines in a row with the same entry: 3.5 is like real runs, 1 is adversarial for run lengths. */
  readonly run: number;
}

export const SHAPES = {
  S: { name: 'S', files: 100, lines: 140, run: 3.5 },
  M: { name: 'M', files: 1_000, lines: 247, run: 3.5 },
  L: { name: 'L', files: 5_000, lines: 300, run: 3.5 },
  XL: { name: 'XL', files: 20_000, lines: 300, run: 3.5 },
} as const satisfies Record<string, JobShape>;

export interface GeneratedFile {
  readonly name: string;
  readonly source_digest: string;
  readonly coverage: (number | null)[];
  readonly branches: number[];
}

export interface GeneratedJob {
  readonly repo_token: string;
  readonly service_name: string;
  readonly service_number: string;
  readonly parallel: boolean;
  readonly git: { readonly head: { readonly id: string; readonly message: string }; readonly branch: string };
  readonly source_files: GeneratedFile[];
}

type Random = () => number;

/**
 * A job that is the same for the same shape and seed; another seed has other hits, like the legs of one matrix. For the
 * lines 40 % are not relevant and 10 % have two branches; 15 % of the relevant ones are missed, and hits follow
 * Pareto's law (8 % above 127).
 */
export function generateJob(shape: JobShape, seed = 1): GeneratedJob {
  const structure = createRandom(7);
  const hits = createRandom(seed * 7919);
  return {
    repo_token: 'b'.repeat(36),
    service_name: 'github',
    service_number: '71',
    parallel: true,
    git: { head: { id: 'c'.repeat(40), message: 'Speed the thing up' }, branch: 'main' },
    source_files: Array.from({ length: shape.files }, (_, index) => generateFile({ shape, index, structure, hits })),
  };
}

interface FileSeed {
  readonly shape: JobShape;
  readonly index: number;
  readonly structure: Random;
  readonly hits: Random;
}

function generateFile({ shape, index, structure, hits }: FileSeed): GeneratedFile {
  const lines = Math.max(1, Math.round(shape.lines * (0.2 + 1.6 * structure())));
  const coverage: (number | null)[] = [];
  const branches: number[] = [];
  while (coverage.length < lines) {
    const entry = structure() < 0.4 ? null : drawHits(hits);
    // Geometric: the chance to stop after each line is 1 / run.
    do coverage.push(entry);
    while (coverage.length < lines && structure() > 1 / shape.run);
  }
  for (let line = 1; line <= lines; line += 1) {
    if (structure() >= 0.1) continue;
    for (let branch = 0; branch < 2; branch += 1) branches.push(line, 0, branch, drawHits(hits));
  }
  return { name: fileName(index), source_digest: hexDigits(structure, 32), coverage, branches };
}

/** 85 % covered; of those 8 % above 127, none above a million. */
function drawHits(random: Random): number {
  if (random() < 0.15) return 0;
  return Math.min(1_000_000, Math.floor((1 - random()) ** (-1 / 0.521)));
}

function fileName(index: number): string {
  const area = ['billing', 'search', 'accounts', 'storage', 'reports'][index % 5];
  const folder = `module-${String(index >> 5).padStart(4, '0')}`;
  return `packages/${area}/src/${folder}/component-${String(index).padStart(5, '0')}.ts`;
}

function hexDigits(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

/** mulberry32: small, fast, the same everywhere. */
function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
