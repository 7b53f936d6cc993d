// What the command "doctor" says of itself and finds.

export const SUBJECTS = {
  command: 'Command',
  ci: 'CI',
  run: 'Run',
  commit: 'Commit',
  git: 'Checkout',
  reports: 'Reports',
  server: 'Server',
  token: 'Token',
  clock: 'Clock',
} as const;
