export function repoRemoved(repo: string): string {
  return `The repo ${repo} was removed while this job was uploaded. Create it again and use its new repo token.`;
}
