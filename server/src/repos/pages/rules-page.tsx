import { FILE_PLACES } from '@coverage/shared/coverage-file';
import type { ComponentChildren, VNode } from 'preact';
import type { JudgedRules, RuleValue } from '../../core/builds/judged-rules.ts';
import { printable, showHidden } from '../../core/printable.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { counted } from '../../wording/phrases.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import type { ShownFile, ShownRules } from '../show-rules.ts';
import { RuleSource } from './setting-rules.tsx';

export type RenderRulesPage = (shown: ShownRules, page: PageContext) => Iterable<string>;

const COLUMNS: readonly Column[] = [{ name: 'Rule' }, { name: 'Value' }, { name: 'From' }];
const MAX_LINE = 400;

/** Which rules are in force, and who said each: the repo's own file, its settings, or the server. */
export const renderRulesPage: RenderRulesPage = (shown, page) => {
  const { repo, maintains, build } = shown;
  const frame = {
    title: `Rules · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Rules', href: page.links.ofRepo(repo, 'rules') }),
    tabs: repoTabs({ repo, current: undefined, commit: build?.commit, maintains }, page.links),
  };
  return renderPage(page, frame, mainParts(shown, page));
};

function* mainParts(shown: ShownRules, { links }: PageContext): Generator<Part> {
  const { repo, build, rules, file } = shown;
  yield (
    <div class="head">
      <h1>Rules</h1>
      {build && (
        <span class="quiet">
          of <a href={links.build(build.id)}>{titleOf(build, links.terms(repo))}</a>
        </span>
      )}
    </div>
  );
  yield* rulesSentences(rules).map((sentence) => <p class="note">{sentence}</p>);
  if (rules === undefined) {
    yield (
      <p class="empty">
        No rules yet. They appear here with the first build. A repo can keep its own in <code>{FILE_PLACES[0]}</code>:
        see <a href={links.docs('coverage-yml')}>coverage.yml</a>.
      </p>
    );
    return;
  }
  if (file !== undefined)
    yield (
      <section class="two beside">
        <FileText file={file} />
        <FileFacts file={file} shown={shown} links={links} />
      </section>
    );
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>Effective rules</h2>
      <span class="quiet">what a build is judged by, and where each value comes from</span>
    </div>
  );
  yield* listTable({
    label: 'Effective rules',
    columns: COLUMNS,
    rows: rules.values.map((one) => valueRow(one, rules)),
  });
  yield (
    <p class="quiet small after">
      A pull request is always judged by the file on its base, never by its own, so that nobody can lower a rule and
      pass by it in one step. <a href={links.docs('coverage-yml')}>All keys</a>
    </p>
  );
  yield { tags: '</section>' };
}

/** Each line with its number; what is wrong stands below it. */
function FileText({ file: { path, commit, lines, problems } }: { readonly file: ShownFile }): VNode {
  const wrong = Map.groupBy(problems, ({ line }) => line);
  return (
    <article class="file">
      <header>
        <h3>{printable(path, 100)}</h3>
        {commit !== undefined && <span class="quiet small">at {shortCommit(commit)}</span>}
      </header>
      <ol class="yml">
        {withoutEnd(lines).map((text, index) => (
          <li id={`l${index + 1}`} class={wrong.has(index + 1) ? 'miss' : undefined}>
            <code>{showHidden(text.slice(0, MAX_LINE))}</code>
            {wrong.get(index + 1)?.map(({ message }) => (
              <p class="error">
                <b>Error.</b> {inCode(message)}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </article>
  );
}

/** What stands behind the last line feed is no line. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Before the name of the settings. */
const PRECEDENCE = {
  on: 'this file wins over ',
  stricter: 'the stricter of this file and ',
  off: 'this file is no longer read; the next build follows ',
} as const;

/** Whether the file can be used, and what it decides. */
function FileFacts(props: {
  readonly file: ShownFile;
  readonly shown: ShownRules;
  readonly links: PageContext['links'];
}): VNode {
  const { file, shown, links } = props;
  const { repo, maintains } = shown;
  const { problems } = file;
  return (
    <dl class="pairs">
      <dt>Status</dt>
      <dd>
        {problems.length === 0 ? (
          <span class="v ok">
            <Icon name="ok" /> Valid
          </span>
        ) : (
          <span class="v fail">
            <Icon name="fail" /> {counted(problems.length, 'error')}
          </span>
        )}
      </dd>
      <dt>Precedence</dt>
      <dd>
        {PRECEDENCE[repo.settings.configFile]}
        {maintains ? <a href={links.ofRepo(repo, 'settings')}>Settings</a> : 'the settings'}
      </dd>
      <dt>Not in this file</dt>
      <dd class="small">tokens, visibility, uploads from forks, status names, retention</dd>
    </dl>
  );
}

/** What stands in backticks is code. */
export function inCode(text: string): ComponentChildren {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? printable(part, 300) : <code>{printable(part, 200)}</code>));
}

function valueRow(rule: RuleValue, { file }: JudgedRules): VNode {
  const { key, value } = rule;
  return (
    <Row>
      <Cell class="main">
        <code>{printable(key, 120)}</code>
      </Cell>
      <Cell>{printable(value, 200) + unitOf(rule)}</Cell>
      <Cell class="small">
        <RuleSource rule={rule} file={file} link="" />
      </Cell>
    </Row>
  );
}

/** `75%`, `0.5 points`: of a number alone. */
function unitOf({ key, value }: RuleValue): string {
  if (!/^[\d.]+$/.test(value)) return '';
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (last === 'minimum') return '%';
  return last === 'drop' || last === 'tolerance' ? ' points' : '';
}
