import { oneLine } from '../runner/log.ts';
import { checkoutFinding, type Finding, reportsFinding, runFindings } from './doctor-findings.ts';
import { serverFindings } from './doctor-server.ts';
import { READING_OPTIONS, typedPath } from './local-reports.ts';
import { RUN_OPTIONS, readSettings, SERVER_OPTIONS } from './settings.ts';
import { type Arguments, type Command, EXIT, type ExitCode, type Shell } from './shell/command.ts';
import { choosePaint, safeText } from './shell/terminal-text.ts';

const DOCTOR = {
  summary: 'say what "report" would see and send, and what is wrong',
  usage: '[options] [report...]',
  explanation:
    'Shows which CI was detected and what it says about the run, which reports were found and in which format,\n' +
    'whether the server responds, accepts the token and has the same time, and how to fix each problem.\n' +
    'Nothing is uploaded. It exits with 0 if "report" has everything it needs.',
  examples: [
    ['doctor', 'Look at everything.'],
    ['doctor --endpoint=https://coverage.example', 'Ask this server.'],
    ['doctor --json', 'The findings as JSON.'],
  ],
} as const;

/** Says what "report" would see and send, and what is wrong with it. */
export const doctor: Command = {
  name: 'doctor',
  ...DOCTOR,
  options: [...SERVER_OPTIONS, ...READING_OPTIONS, ...RUN_OPTIONS, { name: 'json', summary: 'the result as JSON' }],
  async run(given, shell) {
    const settings = readSettings(given, shell);
    const caFile = given.text('ca-file');
    const findings = [
      ...runFindings(settings),
      await checkoutFinding(settings),
      await reportsFinding(given, shell),
      ...(await serverFindings(settings, shell, { caFile: caFile === undefined ? '' : typedPath(caFile, shell) })),
    ];
    shell.print(
      given.isOn('json') ? `${JSON.stringify({ findings }, undefined, 2)}\n` : textOf(findings, given, shell),
    );
    return worst(findings);
  },
};

/** What keeps "report" from asking the server at all comes first. */
function worst(findings: readonly Finding[]): ExitCode {
  const order = [EXIT.wrongUse, EXIT.unreachable, EXIT.refused];
  return order.find((code) => findings.some((finding) => finding.code === code)) ?? EXIT.good;
}

function textOf(findings: readonly Finding[], given: Arguments, shell: Shell): string {
  const paint = choosePaint(given, shell);
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ subject, text, remedy, code }) => {
    const mark = code === EXIT.good ? (remedy === '' ? paint.good('✓') : paint.middling('!')) : paint.bad('✗');
    const row = `${mark} ${subject.padEnd(width)}  ${safeText(oneLine(text))}`;
    return remedy === '' ? [row] : [row, `  ${' '.repeat(width)}  ${paint.faint(remedy)}`];
  });
  return `${lines.join('\n')}\n`;
}
