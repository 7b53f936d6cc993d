import type { VNode } from 'preact';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';

/** A parameter, a field of a body, or one of an answer. */
export interface ShownField {
  readonly name: string;
  /** As `text`, `number or null`. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface ShownOperation {
  readonly id: string;
  /** As `GET`. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Who may ask, in words. */
  readonly access: string;
  readonly query: readonly ShownField[];
  readonly body: readonly ShownField[];
  readonly answerStatus: string;
  readonly answer: readonly ShownField[];
  /** The statuses of failures. */
  readonly failures: readonly string[];
}

export interface ShownGroup {
  readonly name: string;
  readonly operations: readonly ShownOperation[];
}

/** Everything that programs may ask, for people. */
export function renderApiPage(groups: readonly ShownGroup[], page: PageContext): Iterable<string> {
  return renderPage(page, { title: 'API', crumbs: [{ name: 'API' }] }, apiParts(groups, page));
}

function* apiParts(groups: readonly ShownGroup[], { links }: PageContext): Generator<Part> {
  yield (
    <>
      <h1>API</h1>
      <p class="quiet lede">
        The Coveralls API, and what this server adds. Programs read <a href={links.apiDocument()}>openapi.json</a>.
        Every failure is answered with <code>{'{"message", "error": true}'}</code>.
      </p>
      <nav class="jump" aria-label="Sections of this page">
        <ul>
          {groups.map(({ name, operations }) => (
            <li>
              <a href={`#${name.toLowerCase()}`}>
                {name}
                <Count of={operations.length} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
  for (const { name, operations } of groups) {
    yield { tags: '<section>' };
    yield <h2 id={name.toLowerCase()}>{name}</h2>;
    for (const operation of operations) yield* operationParts(operation);
    yield { tags: '</section>' };
  }
}

function* operationParts(operation: ShownOperation): Generator<Part> {
  const { id, method, path, summary, description, access, query, body, answerStatus, answer, failures } = operation;
  yield { tags: '<details class="more after">' };
  yield (
    <summary id={id}>
      <h3>{summary}</h3>
      <code class="quiet">
        {method} {path}
      </code>
    </summary>
  );
  yield { tags: '<div>' };
  yield (
    <>
      {description !== undefined && <p>{description}</p>}
      <p>
        <b>Who:</b> {access}. <b>Answers</b> {answerStatus}; failures: {failures.join(', ')}.
      </p>
    </>
  );
  yield* fieldTable('Query', query);
  yield* fieldTable('Body', body);
  yield* fieldTable('Answer', answer);
  yield { tags: '</div></details>' };
}

function* fieldTable(title: string, fields: readonly ShownField[]): Generator<Part> {
  if (fields.length === 0) return;
  yield <h4>{title}</h4>;
  const columns = [{ name: 'Name' }, { name: 'Type' }, { name: 'Meaning', kind: 'grow' as const }];
  yield* listTable({ label: title, columns, rows: mapRows(fields, fieldRow), dense: true });
}

function fieldRow({ name, type, required, description }: ShownField): VNode {
  return (
    <Row>
      <Cell class="main">
        <code>{name}</code>
      </Cell>
      <Cell>
        {type}
        {required && <span class="quiet">, required</span>}
      </Cell>
      <Cell class="wide">{description}</Cell>
    </Row>
  );
}
