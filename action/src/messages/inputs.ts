// What is said of the action's inputs.

export const TOKEN_MISSING =
  'Input repo-token: give the repo token that the server shows for this repo (as a secret), or a github-token.';

export function notAnAddress(name: string, text: string): string {
  return `Input ${name}: expected an address like https://coverage.example or http://host:8080/path, got "${text}".`;
}

export function notAMove(text: string): string {
  return `Input path-map: expected from=to, such as /app=backend, one a line, got "${text}".`;
}
