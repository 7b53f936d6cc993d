// What the command "completions" says of itself.

export const COMPLETIONS = {
  summary: 'print what makes your shell complete these commands',
  usage: '[options] bash|zsh|fish',
  explanation: 'For a file that can be run by itself: chmod +x coverage.mjs, and mv coverage.mjs ~/.local/bin/coverage',
  nameOption: 'how the program is called, "coverage" by default',
  examples: [
    ['completions bash > ~/.local/share/bash-completion/completions/coverage', 'For every new bash.'],
    ['completions zsh > ~/.zfunc/_coverage', 'For zsh, where fpath has ~/.zfunc.'],
    ['completions fish > ~/.config/fish/completions/coverage.fish', 'For fish.'],
  ],
} as const;

export function shellMissing(shells: readonly string[]): string {
  return `Name one shell: ${shells.join(', ')}.`;
}

export function badName(name: string): string {
  return `Option --name: expected the name of a program, got "${name}".`;
}
