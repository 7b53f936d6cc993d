/** Each is a command, by its name. */
export const PROGRAMS = {
  token: 'makes, lists and revokes personal tokens',
  user: 'makes and manages local accounts',
  rotate: 'makes new repo tokens: for one repo, for all, or where the key is lost',
  repos: 'makes repos and changes their settings, from a file',
  audit: 'exports the audit log',
  gc: 'removes builds that are beyond their retention',
  backup: 'writes a verified backup',
  restore: 'makes the database from a backup',
  doctor: 'looks at everything that the server needs',
  export: 'writes a repo to a folder, for another server',
  import: 'adds a repo from such a folder',
  'copy-store': 'copies everything from one store to another',
} as const;

/** Sentences name commands as a checkout runs them; in an archive each has another name. */
export function asStarted(text: string): string {
  return /[/\\]coverage-service\.[jt]s$/.test(process.argv[1] ?? '') ? asProgram(text) : text;
}

export function asProgram(text: string): string {
  return text
    .replaceAll(/npm run ([a-z-]+)(?: --(?= ))?/g, (whole, name: string) =>
      Object.hasOwn(PROGRAMS, name) ? `coverage-service ${name}` : whole,
    )
    .replaceAll('[-- --json]', '[--json]');
}

export function fieldWrong(form: string, found: string): string {
  return `must be ${form}, not ${found}`;
}
