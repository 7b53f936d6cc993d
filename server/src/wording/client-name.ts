import { printable } from '../core/printable.ts';

/** Each browser says the names of those before it too, so the first that is found is the one. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?(?:iOS)?\/(\d{1,4})/, 'Edge'],
  [/\bOPR\/(\d{1,4})/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const OURS: Readonly<Record<string, string>> = {
  'coverage-service-action': 'Coverage action',
  'coverage-service-command': 'Coverage command',
};

/** A User-Agent as people know it: `Firefox 128 on Linux`, `Coverage action 0.2.0`, `curl 8.5.0`. Hostile text. */
export function clientName(userAgent: string): string {
  const browser = BROWSERS.map(([mark, name]) => [name, mark.exec(userAgent)?.[1]] as const).find(([, found]) => found);
  if (browser !== undefined) {
    const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
    return `${browser.join(' ')}${system === undefined ? '' : ` on ${system}`}`;
  }
  const [, program = '', version = ''] = /^([\w.@-]{1,60})\/([\w.+-]{1,40})/.exec(userAgent) ?? [];
  return program === '' ? printable(userAgent, 60) : `${OURS[program] ?? program} ${version}`;
}
