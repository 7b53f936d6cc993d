/** How each XML format looks: three parts, of which the second may come any number of times. */
export const XML_SAMPLES: Readonly<Record<string, readonly [string, string, string]>> = {
  cobertura: [
    '<coverage line-rate="1"><packages><class filename="__proto__"><lines>',
    '<line number="7" hits="1" condition-coverage="50% (1/2)"/>\n',
    '</lines></class></packages></coverage>',
  ],
  clover: [
    '<coverage generated="1"><project><file name="__proto__">',
    '<line num="7" type="cond" count="1" truecount="1" falsecount="1"/>\n',
    '</file></project></coverage>',
  ],
  jacoco: [
    '<report name="a"><group name="m"><package name="p"><sourcefile name="__proto__">',
    '<line nr="7" mi="2" ci="1" mb="1" cb="1"/>\n',
    '</sourcefile></package></group></report>',
  ],
  opencover: [
    '<CoverageSession><Module><Files><File uid="1" fullPath="C:\\a\\__proto__"/></Files><Method><FileRef uid="1"/>',
    '<SequencePoint vc="1" sl="7" el="7" fileid="1"/><BranchPoint vc="1" sl="7" path="0" offset="3" fileid="1"/>' +
      '<BranchPoint vc="0" sl="7" path="1" offset="3" fileid="1"/>\n',
    '</Method></Module></CoverageSession>',
  ],
  dotcover: [
    '<Root ReportType="DetailedXml"><FileIndices><File Index="1" Name="C:\\a\\__proto__"/></FileIndices>',
    '<Statement FileIndex="1" Line="7" EndLine="7" Covered="True"/>\n',
    '</Root>',
  ],
  'dotnet-coverage': [
    '<results><modules><module name="a.dll"><functions><function id="1" name="F()"><ranges>',
    '<range source_id="0" start_line="7" start_column="9" end_line="7" end_column="12" covered="partial"/>\n',
    '</ranges></function></functions><source_files><source_file id="0" path="C:\\a\\__proto__"/></source_files>' +
      '</module></modules></results>',
  ],
  scoverage: [
    '<scoverage version="1.0"><packages><package><classes><class><methods><method><statements>',
    '<statement source="/a/__proto__" start="2" end="5" line="7" branch="true" invocation-count="1"/>\n',
    '</statements></method></methods></class></classes></package></packages></scoverage>',
  ],
  sonarqube: [
    '<coverage version="1"><file path="__proto__">',
    '<lineToCover lineNumber="7" covered="true" branchesToCover="2" coveredBranches="1"/>\n',
    '</file></coverage>',
  ],
};
