// Making the App by which this server signs in at a git host.
export const ADMINISTRATORS_ONLY = 'Only an administrator of this server may set up its App.';
export const NO_HOST_WITH_APPS = 'No git host of this server has Apps.';
export const NOT_BEGUN_HERE = 'This was not begun in this browser, took longer than an hour, or is done. Begin again.';

export function configuredAlready(host: string, settings: readonly string[]): string {
  const one = settings.length === 1;
  return (
    `This server signs in at ${host} by ${settings.join(', ')} of its environment. Unset ${one ? 'it' : 'them'} and ` +
    'restart it to make an App here.'
  );
}

export function madeAlready(host: string): string {
  return `An App was made at ${host} before. Confirm that it is to be replaced.`;
}

export function madeMeanwhile(host: string): string {
  return `Another App was made at ${host} meanwhile. Remove the one that you just made there, or begin again.`;
}

export function codeRefused(host: string): string {
  return `${host} did not take the code that it had given. Begin again.`;
}

export function silent(host: string): string {
  return `${host} does not answer. Load this page again; it may be done within an hour.`;
}
