import { FILE_PLACES, MAX_FILE_BYTES } from '@coverage/shared/coverage-file';
import type { ComponentChildren, VNode } from 'preact';
import type { JudgedRules, RuleValue } from '../../core/builds/judged-rules.ts';
import { NOT_SET } from '../../core/builds/list-rules.ts';
import { printable, showHidden } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { Csrf, Notice } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Icon } from '../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { counted } from '../../wording/phrases.ts';
import { rulesSentences } from '../../wording/rules-words.ts';
import type { CheckedFile } from '../check-file.ts';
import type { ShownFile, ShownRules } from '../show-rules.ts';
import { RuleSource } from './setting-rules.tsx';

/** `checked`: a file that was sent to be checked; then it is shown alone. */
export type RenderRulesPage = (shown: ShownRules, page: PageContext, checked?: CheckedFile) => Iterable<string>;

const COLUMNS: readonly Column[] = [{ name: 'Rule' }, { name: 'Value' }, { name: 'From' }];
const MAX_LINE = 400;

/** Which rules are in force, and who said each: the repo's own file, its settings, or the server. */
export const renderRulesPage: RenderRulesPage = (shown, page, checked) => {
  const { repo, maintains, build } = shown;
  const frame = {
    title: `Rules · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Rules', href: page.links.ofRepo(repo, 'rules') }),
    tabs: repoTabs({ repo, current: undefined, commit: build?.commit, maintains }, page.links),
  };
  const parts = checked === undefined ? mainParts(shown, page) : checkedParts(shown, checked, page);
  return renderPage(page, frame, parts);
};

function* mainParts(shown: ShownRules, page: PageContext): Generator<Part> {
  const { repo, build, rules, file } = shown;
  const { links } = page;
  yield (
    <div class="head">
      <h1>Rules</h1>
      {build && (
        <span class="quiet">
          of <a href={links.build(build.id)}>{titleOf(build, links.terms(repo))}</a>
        </span>
      )}
      <span class="end">
        <a class="btn" href="#check">
          Check a file
        </a>
      </span>
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
    yield <CheckForm repo={repo} page={page} text="" />;
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
  yield* valueParts('what a build is judged by, and where each value comes from', rules.values, rules.file);
  yield (
    <p class="quiet small after">
      A pull request is always judged by the file on its base, never by its own, so nobody can lower a rule and pass
      because of it in one step. <a href={links.docs('coverage-yml')}>All keys</a>
    </p>
  );
  yield { tags: '</section>' };
  yield <CheckForm repo={repo} page={page} text="" />;
}

function* valueParts(about: string, values: readonly RuleValue[], file: JudgedRules['file']): Generator<Part> {
  yield (
    <div class="head">
      <h2>Effective rules</h2>
      <span class="quiet">{about}</span>
    </div>
  );
  const said = new Map(values.map(({ key, value }) => [key, value]));
  const isBare = said.get('total.minimum') === NOT_SET && said.get('total.drop') === NOT_SET;
  const rows = values.map((one) =>
    valueRow(one, file, isBare && one.key === 'total.drop' ? ': no decrease allowed' : ''),
  );
  yield* listTable({ label: 'Effective rules', columns: COLUMNS, rows });
}

/** What came of a file that was sent, and the form with its text. */
function* checkedParts({ repo }: ShownRules, checked: CheckedFile, page: PageContext): Generator<Part> {
  const { values, problems, text } = checked;
  yield <h1>Rules</h1>;
  yield values === undefined ? (
    <Notice
      kind="bad"
      text={`This file has ${counted(problems.length, 'error')}, so no build would be judged by it.`}
    />
  ) : (
    <Notice kind="good" text="This file is valid. Nothing is stored: commit it to use it." />
  );
  yield <FileText file={checked} />;
  if (values !== undefined) {
    yield { tags: '<section>' };
    yield* valueParts('what this repo’s builds would be judged by with this file', values, undefined);
    yield { tags: '</section>' };
  }
  yield <CheckForm repo={repo} page={page} text={text} />;
}

function CheckForm(props: { readonly repo: Repo; readonly page: PageContext; readonly text: string }): VNode {
  const { repo, page, text } = props;
  return (
    <section id="check">
      <div class="head">
        <h2>Check a file</h2>
        <span class="quiet">
          or run <code>coverage check-config</code> where the file is
        </span>
      </div>
      {page.viewer === undefined ? (
        <p>
          <a href={page.links.signIn(page.here)}>Sign in</a> to check a file here before you commit it.
        </p>
      ) : (
        <form method="post" action={page.links.ofRepo(repo, 'rules')}>
          <Csrf page={page} />
          <label class="field">
            <span>The text of a coverage.yml</span>
            <textarea name="file" rows={12} class="ref" spellcheck={false} maxLength={MAX_FILE_BYTES} required>
              {text}
            </textarea>
          </label>
          <button type="submit">Check</button>
        </form>
      )}
    </section>
  );
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
            {wrong.get(index + 1)?.map(({ line, column, message }) => (
              <p class="error">
                <b>
                  Error in line {line}, column {column}.
                </b>{' '}
                {inCode(message)}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </article>
  );
}

/** What comes after the last line feed is no line. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Before the name of the settings. */
const PRECEDENCE = {
  on: 'this file wins over ',
  stricter: 'the stricter of this file and ',
  off: 'this file is no longer read, from the next build on ',
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

/** Text in backticks is code. */
export function inCode(text: string): ComponentChildren {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? printable(part, 300) : <code>{printable(part, 200)}</code>));
}

/** `effect`: what a value that is not set means. */
function valueRow(rule: RuleValue, file: JudgedRules['file'], effect: string): VNode {
  const { key, value } = rule;
  return (
    <Row>
      <Cell class="main">
        <code>{printable(key, 120)}</code>
      </Cell>
      <Cell>{printable(value, 200) + unitOf(rule) + effect}</Cell>
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
  if (last !== 'drop' && last !== 'tolerance') return '';
  return value === '1' ? ' point' : ' points';
}
