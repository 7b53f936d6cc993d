// What the command "show" says of itself and of its result.

export const TABLE = {
  file: 'File',
  lines: 'Lines',
  branches: 'Branches',
  percent: 'Coverage',
  total: 'Total',
  none: '—',
} as const;
