import { parseClover } from '../../action/src/formats/clover.ts';
import { parseCobertura } from '../../action/src/formats/cobertura.ts';
import type { ParsedReport } from '../../action/src/formats/coverage-format.ts';
import type { ReportBytes } from '../../action/src/formats/report-bytes.ts';
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
  sonarqube: {
    parse: parseSonarqube,
    parts: [
      '<coverage version="1"><file path="__proto__">',
      '<lineToCover lineNumber="7" covered="true" branchesToCover="2" coveredBranches="1"/>\n',
      '</file></coverage>',
    ],
  },
};
