import { ActionFailure } from '../runner/failure.ts';
import type { Texts } from '../runner/words.ts';
import { clover } from './clover.ts';
import { cobertura } from './cobertura.ts';
import { codecovJson } from './codecov-json.ts';
import { covdir } from './covdir.ts';
import type { CoverageFormat } from './coverage-format.ts';
import { coveragePy } from './coverage-py.ts';
import { coverallsJson } from './coveralls-json.ts';
import { develCover } from './devel-cover.ts';
import { dlang } from './dlang.ts';
import { dotCover } from './dotcover.ts';
import { dotnetCoverage } from './dotnet-coverage.ts';
import { gcov } from './gcov.ts';
import { gcovJson, gcovrJson } from './gcov-json.ts';
import { go } from './go.ts';
import { istanbul } from './istanbul.ts';
import { jacoco } from './jacoco.ts';
import { lcov } from './lcov.ts';
import { llvmJson } from './llvm-json.ts';
import { llvmShow } from './llvm-show.ts';
import { luacov } from './luacov.ts';
import { openCover } from './opencover.ts';
import { otherFormat } from './other-formats.ts';
import { salesforce } from './salesforce.ts';
import { scoverage } from './scoverage.ts';
import { simpleCov, simpleCovJson } from './simplecov.ts';
import { sonarqube } from './sonarqube.ts';
import { tarpaulinJson } from './tarpaulin-json.ts';
import { xccov } from './xccov.ts';

/** Every format that can be read. If one folder has the same coverage in several, the first of them is read. */
export const FORMATS: readonly CoverageFormat[] = [
  lcov,
  cobertura,
  istanbul,
  jacoco,
  clover,
  openCover,
  dotCover,
  sonarqube,
  coveragePy,
  simpleCovJson,
  simpleCov,
  coverallsJson,
  gcovrJson,
  gcovJson,
  llvmJson,
  tarpaulinJson,
  codecovJson,
  xccov,
  go,
  luacov,
  develCover,
  gcov,
  llvmShow,
  dlang,
  dotnetCoverage,
  scoverage,
  covdir,
  salesforce,
];

/** Names of all formats, for messages. */
export const FORMAT_NAMES: string = [...new Set(FORMATS.map((format) => format.name))].join(', ');

/** The format that the `format` input names; undefined if it names none. Throws `bad-input` with the known names. */
export function formatNamed(name: string): CoverageFormat | undefined {
  if (name === '') return undefined;
  const asked = name.toLowerCase();
  const format = FORMATS.find((known) => known.name === asked || known.aliases?.includes(asked));
  if (format !== undefined) return format;
  throw new ActionFailure(
    'bad-input',
    `Input format: "${name}" is not a format that can be read. Known formats: ${FORMAT_NAMES}. Leave the input ` +
      'out to let the content decide.',
  );
}

/** What a file was found to be, by its content: a format, or the reason why it cannot be read. */
type Recognized = { readonly format: CoverageFormat } | { readonly format: undefined; readonly reason: string };

/** Decides by the first 64 KiB of a file, read as Latin-1. */
export function recognize(head: string): Recognized {
  const format = FORMATS.find((known) => known.matches(head));
  if (format !== undefined) return { format };
  if (head.trim() === '') return { format: undefined, reason: 'it is empty' };
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head)) return { format: undefined, reason: 'it is UTF-16 text; write it as UTF-8' };
  const other = otherFormat(head);
  if (other !== undefined) return { format: undefined, reason: looksLike(other) };
  return { format: undefined, reason: `its content is none of the known formats (${FORMAT_NAMES})` };
}

function looksLike({ name, advice }: Texts<'name' | 'advice'>): string {
  return `it looks like ${name}; ${advice}`;
}
