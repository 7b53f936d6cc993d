export function renamed(name: string): string {
  return `the repo is called ${name} now`;
}
