export const RUN_WITHOUT_SECRETS = 'Such runs get no secrets, and do not count here.';

export function runOfBot(run: string, bot: string): string {
  return `The run ${run} was started by ${bot}: its runs count as runs of a fork.`;
}

export const PULL_REQUEST = 'pull request';

export const SWITCH_FORM = 'true or false';

export const PERCENT_FORM = 'a number from 0 to 100, or null';
