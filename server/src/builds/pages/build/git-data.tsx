import type { VNode } from 'preact';
import { tokenTrust } from '../../../core/builds/run-origin.ts';
import { printable } from '../../../core/printable.ts';
import { capitalize } from '../../../wording/phrases.ts';
import type { ShownBuildPage } from '../../show-build-page.ts';
import type { BuildPlace } from './build-place.ts';

type Pair = readonly [name: string, value: VNode | string | undefined];

/** What the uploads say of the commit and the run, for display alone. Rule 30: addresses are for members. */
export function GitData({ shown, place }: { readonly shown: ShownBuildPage; readonly place: BuildPlace }): VNode {
  const pairs = [...commitPairs(shown, place), ...runPairs(shown)].filter(([, value]) => value !== undefined);
  return (
    <>
      <h3>Commit and run</h3>
      <dl class="pairs">
        {pairs.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </>
  );
}

function commitPairs({ build, showEmails }: ShownBuildPage, { repo, links }: BuildPlace): readonly Pair[] {
  const { commit, testedCommit, target, branch, tag, baseBranch, pullRequest, message, remotes, authors } = build;
  const person = (name: string | undefined, email: string | undefined): string | undefined => {
    const address = showEmails && email !== undefined ? `<${printable(email, 200)}>` : '';
    return `${printable(name ?? '', 200)} ${address}`.trim() || undefined;
  };
  return [
    ['Commit', commit && <Ref text={commit} />],
    ['Tested at', testedCommit && <Ref text={testedCommit} />],
    ['Statuses go to', target !== undefined && target !== commit ? <Ref text={target} /> : undefined],
    [tag ? 'Tag' : 'Branch', branch && <Ref text={branch} />],
    [
      'Base branch',
      (build.facts?.pull?.baseBranch ?? baseBranch) && <Ref text={build.facts?.pull?.baseBranch ?? baseBranch ?? ''} />,
    ],
    [
      capitalize(links.terms(repo).pullRequest),
      pullRequest === undefined ? undefined : (
        <a href={links.pull(repo, pullRequest)}>{links.numberOf(repo, pullRequest)}</a>
      ),
    ],
    ['Author', person(authors.authorName, authors.authorEmail)],
    ['Committer', person(authors.committerName, authors.committerEmail)],
    ['Message', message && <Message text={message} />],
    ['Remotes', remotes && <Ref text={remotes} />],
  ];
}

function Ref({ text }: { readonly text: string }): VNode {
  return <span class="ref">{printable(text, 1_000)}</span>;
}

const LONGEST_MESSAGE = 4_000;

function Message({ text }: { readonly text: string }): VNode {
  return (
    <pre class="fit">{text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : text}</pre>
  );
}

function runPairs({ build }: ShownBuildPage): readonly Pair[] {
  const { serviceName, number, eventType, attempt } = build;
  return [
    ['CI', serviceName === '' ? undefined : printable(serviceName, 200)],
    ['Run', `${printable(number, 200)}${attempt > 1 ? `, attempt ${attempt}` : ''}`],
    ['Started by', eventType && printable(eventType, 200)],
    ['Verified by', TRUSTS[tokenTrust(build)]],
  ];
}

const TRUSTS: Readonly<Record<ShownBuildPage['build']['trust'], string>> = {
  secret: 'the repo’s token',
  provider: 'a token of the git host',
  run: 'a run of a fork or a bot, without a secret of the repo',
};
