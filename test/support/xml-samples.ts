import { parseClover } from '../../action/src/formats/clover.ts';
import { parseCobertura } from '../../action/src/formats/cobertura.ts';
import type { ParsedReport } from '../../action/src/formats/coverage-format.ts';
import { parseDotCover } from '../../action/src/formats/dotcover.ts';
import { parseDotnetCoverage } from '../../action/src/formats/dotnet-coverage.ts';
import { parseJacoco } from '../../action/src/formats/jacoco.ts';
import { parseOpenCover } from '../../action/src/formats/opencover.ts';
import type { ReportBytes } from '../../action/src/formats/report-bytes.ts';
import { parseScoverage } from '../../action/src/formats/scoverage.ts';
import { parseSonarqube } from '../../action/src/formats/sonarqube.ts';

/** How one XML format looks, for what all of them have to stand. */
export interface XmlSample {
  readonly parse: (report: ReportBytes, chunkBytes?: number) => ParsedReport;
  /** A report in three parts, of which the second may come any number of times. */
  readonly parts: readonly [string, string, string];
}

export const XML_SAMPLES: Readonly<Record<string, XmlSample>> = {
  cobertura: {
    parse: parseCobertura,
    parts: [
      '<coverage line-rate="1"><packages><class filename="__proto__"><lines>',
      '<line number="7" hits="1" condition-coverage="50% (1/2)"/>\n',
      '</lines></class></packages></coverage>',
    ],
  },
  clover: {
    parse: parseClover,
    parts: [
      '<coverage generated="1"><project><file name="__proto__">',
      '<line num="7" type="cond" count="1" truecount="1" falsecount="1"/>\n',
      '</file></project></coverage>',
    ],
  },
  jacoco: {
    parse: parseJacoco,
    parts: [
      '<report name="a"><group name="m"><package name="p"><sourcefile name="__proto__">',
      '<line nr="7" mi="2" ci="1" mb="1" cb="1"/>\n',
      '</sourcefile></package></group></report>',
    ],
  },
  opencover: {
    parse: parseOpenCover,
    parts: [
      '<CoverageSession><Module><Files><File uid="1" fullPath="C:\\a\\__proto__"/></Files><Method><FileRef uid="1"/>',
      '<SequencePoint vc="1" sl="7" el="7" fileid="1"/><BranchPoint vc="1" sl="7" path="0" offset="3" fileid="1"/>' +
        '<BranchPoint vc="0" sl="7" path="1" offset="3" fileid="1"/>\n',
      '</Method></Module></CoverageSession>',
    ],
  },
  dotcover: {
    parse: parseDotCover,
    parts: [
      '<Root ReportType="DetailedXml"><FileIndices><File Index="1" Name="C:\\a\\__proto__"/></FileIndices>',
      '<Statement FileIndex="1" Line="7" EndLine="7" Covered="True"/>\n',
      '</Root>',
    ],
  },
  'dotnet-coverage': {
    parse: parseDotnetCoverage,
    parts: [
      '<results><modules><module name="a.dll"><functions><function id="1" name="F()"><ranges>',
      '<range source_id="0" start_line="7" start_column="9" end_line="7" end_column="12" covered="partial"/>\n',
      '</ranges></function></functions><source_files><source_file id="0" path="C:\\a\\__proto__"/></source_files>' +
        '</module></modules></results>',
    ],
  },
  scoverage: {
    parse: parseScoverage,
    parts: [
      '<scoverage version="1.0"><packages><package><classes><class><methods><method><statements>',
      '<statement source="/a/__proto__" start="2" end="5" line="7" branch="true" invocation-count="1"/>\n',
      '</statements></method></methods></class></classes></package></packages></scoverage>',
    ],
  },
  sonarqube: {
    parse: parseSonarqube,
    parts: [
      '<coverage version="1"><file path="__proto__">',
      '<lineToCover lineNumber="7" covered="true" branchesToCover="2" coveredBranches="1"/>\n',
      '</file></coverage>',
    ],
  },
};
