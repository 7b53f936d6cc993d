import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { Failure, quoteValue } from '../../core/failure.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import { findNameProblem, isRepoService, type RepoAddress } from '../../core/repo/repo-name.ts';
import { counted } from '../../core/sentences.ts';
import { keyOf } from './repos-api.ts';
import { type Fields, KNOWN_SETTINGS, readSetting } from './wanted-settings.ts';

/** A repo that a file lists, with the settings that it gives; the others stay as they are. */
export interface WantedRepo extends RepoAddress {
  readonly settings: Fields;
}

const MAX_PROBLEMS = 20;
const TOP = ['defaults', 'repos'];
const ADDRESS = ['service', 'name'];

/** Reads a file of repos. Throws a Failure that names every problem with its line. */
export function readReposFile(text: string, path: string): readonly WantedRepo[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: string[] = [];
  const report = (at: number | undefined, sentence: string): void => {
    problems.push(`${path}:${at === undefined ? 1 : lines.linePos(at).line}: ${sentence}`);
  };
  for (const { pos, message } of document.errors) report(pos[0], message);
  const found = problems.length === 0 ? new ReposReader(document, report).read() : [];
  if (problems.length > 0) {
    const more =
      problems.length > MAX_PROBLEMS ? [`and ${counted(problems.length - MAX_PROBLEMS, 'more problem')}`] : [];
    throw new Failure('payload-invalid', [...problems.slice(0, MAX_PROBLEMS), ...more].join('\n'));
  }
  return found;
}

/** Where a node begins; undefined: at the beginning of the file. */
type Report = (at: number | undefined, sentence: string) => void;

class ReposReader {
  readonly #document: Document;
  readonly #report: Report;
  readonly #seen = new Set<string>();

  constructor(document: Document, report: Report) {
    this.#document = document;
    this.#report = report;
  }

  read(): readonly WantedRepo[] {
    const { contents } = this.#document;
    if (!isMap(contents)) {
      this.#report(placeOf(contents), 'the file must have the key "repos", a list of repos.');
      return [];
    }
    for (const { key } of contents.items) this.#expectKnown(key, TOP);
    const defaults = contents.get('defaults', true);
    const given = this.#readFields(isMap(defaults) ? defaults : undefined, ['service']);
    if (defaults !== undefined && !isMap(defaults)) this.#report(placeOf(defaults), '"defaults" must hold settings.');
    const repos = contents.get('repos', true);
    if (isSeq(repos)) return repos.items.flatMap((item) => this.#readRepo(item, given));
    this.#report(placeOf(repos ?? contents), '"repos" must be a list of repos, each with its "name".');
    return [];
  }

  #readRepo(item: unknown, defaults: Fields): readonly WantedRepo[] {
    const at = placeOf(item);
    if (!isMap(item)) {
      this.#report(at, 'a repo must be "name: <owner>/<name>", with its settings beside it.');
      return [];
    }
    const { service, name, ...settings } = { ...defaults, ...this.#readFields(item, ADDRESS) };
    if (!isRepoService(service)) {
      this.#report(at, `service must be one of ${REPO_SERVICES.join(', ')}, here or in "defaults"${not(service)}.`);
      return [];
    }
    const problem = typeof name === 'string' ? findNameProblem(service, name) : `a text, <owner>/<name>${not(name)}`;
    if (problem !== undefined) this.#report(at, `name must be ${problem}.`);
    if (typeof name !== 'string' || problem !== undefined) return [];
    const key = keyOf({ service, name });
    if (this.#seen.has(key)) this.#report(at, listedTwice(`${service}/${name}`));
    this.#seen.add(key);
    return [{ service, name, settings }];
  }

  /** The values that fit; each other key is reported. */
  #readFields(map: YAMLMap | undefined, others: readonly string[]): Fields {
    const fields = new Map<string, unknown>();
    for (const pair of map?.items ?? []) {
      const name = this.#expectKnown(pair.key, [...others, ...KNOWN_SETTINGS]);
      const value = isNode(pair.value) ? pair.value.toJS(this.#document) : null;
      if (name === undefined || (!others.includes(name) && !this.#fits(pair, name, value))) continue;
      fields.set(name, value);
    }
    return Object.fromEntries(fields);
  }

  #expectKnown(key: unknown, known: readonly string[]): string | undefined {
    const name = isScalar(key) ? String(key.value) : '';
    if (known.includes(name)) return name;
    const nearest = nearestName(name, known);
    this.#report(
      placeOf(key),
      `${quoteValue(name, 60)} is unknown ` +
        `(${nearest === undefined ? `known: ${known.join(', ')}` : `did you mean ${nearest}?`}).`,
    );
    return undefined;
  }

  #fits({ key }: Pair, name: string, value: unknown): boolean {
    try {
      // A switch without a value is none at the API, which would take it for no change.
      if (Object.keys(readSetting(name, value)).length > 0) return true;
      this.#report(placeOf(key), `${name} must be true or false, not null.`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#report(placeOf(key), error.message);
    }
    return false;
  }
}

function placeOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];
}

function not(value: unknown): string {
  return value === undefined ? '' : `, not ${quoteValue(value)}`;
}

function listedTwice(name: string): string {
  return `${name} is listed twice.`;
}
