import type { NoText } from '../core/repo/no-text.ts';

/** Why a file's text is not shown, and what to do. `host`: the git host's name; undefined for a repo of none. */
export function explainNoText(why: NoText, host: string | undefined): string {
  const name = host ?? 'the git host';
  const sentences: Readonly<Record<NoText, string>> = {
    token: 'The text is not shown: repo tokens can only read numbers.',
    'host-private': `The text is not shown: no upload included it, and at ${name} the repo is private.`,
    'no-commit': 'No upload included the text of this file, or said which commit was tested.',
    'no-host':
      host === undefined
        ? 'No upload included the text of this file. Our action sends it with send-source: all.'
        : `No upload included the text of this file, and this server does not ask ${host} for it.`,
    'not-found':
      `No upload included the text of this file, and ${name} answered that there is none at this commit, ` +
      'or that this server may not see it.',
    'too-large': `No upload included the text of this file, and at ${name} it has more than 4 MiB.`,
    'not-text': `No upload sent the text of this file, and what ${name} has at this commit is not text.`,
    refused: `No upload included the text of this file, and ${name} does not give it to this server.`,
    unavailable: `No upload included the text of this file, and ${name} has not answered yet. Reload in a moment.`,
    busy: `No upload included the text of this file, and ${name} was asked for many others. Reload in a minute.`,
  };
  return sentences[why];
}
