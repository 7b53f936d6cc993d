import { OTHER_FORMATS } from '../messages/formats.ts';
import { type FirstTag, readFirstTag } from './xml-root.ts';

/** A format that is recognised and not read, and what to make instead. */
export interface OtherFormat {
  readonly name: string;
  readonly advice: string;
}

interface XmlFormat extends OtherFormat {
  readonly hasRoot: (root: FirstTag) => boolean;
}

interface TextFormat extends OtherFormat {
  readonly pattern: RegExp;
}

const XML_FORMATS: readonly XmlFormat[] = [
  { ...OTHER_FORMATS.crap4j, hasRoot: ({ name }) => name === 'crap_result' },
  { ...OTHER_FORMATS.jacoco, hasRoot: ({ name, attributes }) => name === 'report' && /\sname="GCOVR/.test(attributes) },
  {
    ...OTHER_FORMATS.dotCover,
    hasRoot: ({ name, attributes }) => name === 'Root' && /\sDotCoverVersion=/.test(attributes),
  },
  { ...OTHER_FORMATS.bullseye, hasRoot: ({ name }) => name === 'BullseyeCoverage' },
  { ...OTHER_FORMATS.visualStudio, hasRoot: ({ name }) => name === 'CoverageDSPriv' },
];

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: data of tools begins with such bytes.
const TEXT_FORMATS: readonly TextFormat[] = [
  { ...OTHER_FORMATS.istanbulSummary, pattern: /^\s*\{\s*"total"\s*:\s*\{\s*"lines"\s*:\s*\{/ },
  { ...OTHER_FORMATS.gcovrSummary, pattern: /^\s*\{[^{[]*"gcovr\/summary_format_version"/ },
  { ...OTHER_FORMATS.v8, pattern: /^\s*\{\s*"result"\s*:\s*\[\s*\{\s*"scriptId"/ },
  { ...OTHER_FORMATS.xccovReport, pattern: /^\s*\{\s*"(?:coveredLines|executableLines|lineCoverage|targets)"\s*:/ },
  { ...OTHER_FORMATS.jacocoData, pattern: /^\x01\xc0\xc0/ },
  { ...OTHER_FORMATS.goData, pattern: /^\0c[vw]m/ },
  { ...OTHER_FORMATS.gccData, pattern: /^(?:adcg|gcda|oncg|gcno)/ },
  { ...OTHER_FORMATS.llvmData, pattern: /^(?:\x81[rR]forpl\xff|\xfflprofi\x81)/ },
  { ...OTHER_FORMATS.hpcData, pattern: /^\s*Tix\s*\[/ },
  { ...OTHER_FORMATS.scoverageData, pattern: /^# Coverage data, format version: / },
  { ...OTHER_FORMATS.coveragePyData, pattern: /^SQLite format 3\0/ },
  { ...OTHER_FORMATS.develCover, pattern: /^\s*\{\s*"(?:runs|summary)"\s*:/ },
  { ...OTHER_FORMATS.develCoverText, pattern: /^-[ -]*\r?\nFile +stmt / },
  { ...OTHER_FORMATS.luacovStats, pattern: /^\d+:[^\n]+\n[\d ]+\n/ },
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** The known format that a file's first 64 KiB (as Latin-1) look like, of those that are not read. */
export function otherFormat(head: string): OtherFormat | undefined {
  const root = readFirstTag(head);
  return root === undefined
    ? TEXT_FORMATS.find(({ pattern }) => pattern.test(head))
    : XML_FORMATS.find(({ hasRoot }) => hasRoot(root));
}
