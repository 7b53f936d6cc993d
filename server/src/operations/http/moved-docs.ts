/** Pages of the docs that became a part of another one, and where it is now: old addresses lead there. */
export const MOVED_DOCS: ReadonlyMap<string, string> = new Map([
  ['air-gapped', 'deploy#without-the-internet'],
  ['audit-log', 'people#audit-log'],
  ['compatibility', 'clients'],
  ['faq', 'troubleshooting#questions'],
  ['logs', 'monitoring#logs'],
  ['operating', 'deploy'],
  ['publish-action', 'action#put-the-action-into-your-organization'],
  ['removing-a-repo', 'export#remove-a-repo'],
  ['scheduled-backups', 'backup#scheduled-backups'],
  ['uninstalling', 'deploy#uninstall'],
]);
