import type { HostTokens } from '../../core/repo/git-host.ts';
import type { TokenForm } from '../../core/secret-texts.ts';
import type { Flavor } from './flavor.ts';

const DIGITS = /^[0-9a-f]{40}$/;

/**
 * Its tokens are 40 hexadecimal digits, as commits are, with no mark of whose they are. So one counts only with the
 * service before it, which a job puts there: nothing else is ever sent to the host.
 */
export function tokensOf({ service, name, setting }: Flavor): HostTokens {
  const start = `${service}:`;
  const isToken = (text: string): boolean => text.startsWith(start) && DIGITS.test(text.slice(start.length));
  return {
    kindOf: (token) => (isToken(token) ? 'installation' : undefined),
    describe: (token) => (isToken(token) ? `a token of ${name}` : undefined),
    words: {
      accepted: `a job's own token, as ${service}:<token>`,
      ofJob: `a job's own token, as ${service}:<token>`,
      runId: 'GITHUB_RUN_ID',
      commit: 'GITHUB_SHA',
      mayPush: 'permissions.push',
      covered: 'GET /repos/<owner>/<name>',
      seeRun: `${name} shows a job's repo to its token only while the job runs.`,
      needs: 'A job token counts while its job runs, and not in a pull request from a fork.',
      address: `${setting}_URL`,
    },
  };
}

export function tokenFormsOf({ token, name }: Flavor): readonly TokenForm[] {
  return [{ form: token, kind: `a token of ${name}` }];
}
