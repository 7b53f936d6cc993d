/**
 * The step's log. Every line may hold hostile text: whatever prints it passes it through `oneLine`.
 */
export interface Log {
  info(line: string): void;
  warning(line: string): void;
}

// The C0 and C1 control characters and the Unicode line separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Hostile text as one line of the job's log: no control characters, so that no name begins a line of its own, and
 * neither form of a workflow command (`::name::` at the start, `##[name]` anywhere).
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function oneLine(text: string): string {
  return text
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '## [');
}
