import type { PastCommit, PastTotals } from '@coverage/shared/history';
import { FileHits } from '../../formats/file-hits.ts';
import { commitOf, countOf, isObject, type Json, listOf, objectOf, percentOf, textOf, timeOf } from './answers.ts';
import type { Asked, LeftOutCommit, PastReport, PastSource } from './past.ts';
import type { Requests } from './requests.ts';

const METRICS = 'coverage,lines_to_cover,uncovered_lines,conditions_to_cover,uncovered_conditions';
const PAGE = 500;
/** More conditions on a line are damage, not code. */
const MAX_CONDITIONS = 1_000;

/** SonarQube: the counts of each analysis, whose revision is the commit; lines of the newest analysis alone. */
export function readSonarqube(requests: Requests, project: string, { branches, since }: Asked): PastSource {
  const component = encodeURIComponent(project);
  let newest: string | undefined;
  return {
    address: project,
    async *list() {
      for (const branch of branches.length > 0 ? branches : [undefined]) {
        const query = branch === undefined ? '' : `&branch=${encodeURIComponent(branch)}`;
        const name = branch ?? (await mainBranch(requests, component));
        for await (const found of analysesOf(requests, component, { query, branch: name })) {
          if ('at' in found && since !== undefined && found.at < since) break;
          if ('at' in found) newest ??= found.commit;
          yield found;
        }
      }
    },
    flags: async () => [],
    async reports({ commit, branch }) {
      // What SonarQube has of lines is of its last analysis.
      if (commit !== newest) return [];
      const query = branches.length > 0 ? `&branch=${encodeURIComponent(branch)}` : '';
      const files: FileHits[] = [];
      for await (const { key, path } of filesOf(requests, component, query)) {
        const file = await readLines(requests, `/api/sources/lines?key=${encodeURIComponent(key)}${query}`, path);
        if (file.lastLine > 0) files.push(file);
      }
      return files.length === 0 ? [] : [{ files } satisfies PastReport];
    },
    notes: () => [],
  };
}

async function mainBranch(requests: Requests, component: string): Promise<string> {
  const answer = objectOf(
    await requests.get(`/api/project_branches/list?project=${component}`),
    'The list of branches',
  );
  const branches = listOf(answer.branches, 'The list of branches').filter(isObject);
  return textOf(branches.find(({ isMain }) => isMain === true)?.name) ?? 'main';
}

async function* analysesOf(
  requests: Requests,
  component: string,
  { query, branch }: { readonly query: string; readonly branch: string },
): AsyncGenerator<PastCommit | LeftOutCommit> {
  const measures = await measuresByDate(requests, `/api/measures/search_history?component=${component}${query}`);
  const seen = new Set<string>();
  for await (const item of pages(requests, `/api/project_analyses/search?project=${component}${query}`, 'analyses')) {
    const [commit, at] = [commitOf(item.revision), timeOf(item.date)];
    if (commit === undefined || at === undefined || seen.has(commit)) continue;
    seen.add(commit);
    const found = measures.get(at);
    const shown = percentOf(found?.get('coverage'));
    const totals = found && totalsOf(found);
    if (shown === undefined && totals === undefined) yield { commit, why: 'SonarQube has no coverage of it' };
    else yield { commit, branch, at, message: textOf(item.projectVersion), shown, totals };
  }
}

type Measures = ReadonlyMap<string, unknown>;

/** The analyses are joined to their measures by date. */
async function measuresByDate(requests: Requests, address: string): Promise<ReadonlyMap<number, Measures>> {
  const byDate = new Map<number, Map<string, unknown>>();
  for await (const { metric, history } of pages(requests, `${address}&metrics=${METRICS}`, 'measures')) {
    for (const entry of listOf(history, 'The history of a measure').filter(isObject)) {
      const [name, at] = [textOf(metric), timeOf(entry.date)];
      if (name === undefined || at === undefined) continue;
      const found = byDate.get(at) ?? new Map<string, unknown>();
      byDate.set(at, found.set(name, entry.value));
    }
  }
  return byDate;
}

function totalsOf(measures: Measures): PastTotals | undefined {
  const count = (name: string): number | undefined => countOf(Number(textOf(measures.get(name)) ?? Number.NaN));
  const [relevantLines, missedLines] = [count('lines_to_cover'), count('uncovered_lines')];
  const [branches = 0, missedBranches = 0] = [count('conditions_to_cover'), count('uncovered_conditions')];
  if (relevantLines === undefined || missedLines === undefined) return undefined;
  if (missedLines > relevantLines || missedBranches > branches) return undefined;
  return {
    coveredLines: relevantLines - missedLines,
    relevantLines,
    coveredBranches: branches - missedBranches,
    branches,
  };
}

async function* filesOf(requests: Requests, component: string, query: string) {
  const address = `/api/components/tree?component=${component}&qualifiers=FIL,UTS${query}`;
  for await (const item of pages(requests, address, 'components')) {
    const [key, path] = [textOf(item.key), textOf(item.path)];
    if (key !== undefined && path !== undefined) yield { key, path };
  }
}

async function readLines(requests: Requests, address: string, path: string): Promise<FileHits> {
  const file = new FileHits(path);
  const answer = await requests.get(`${address}&from=1`);
  for (const item of isObject(answer) ? listOf(answer.sources, 'The lines of a file').filter(isObject) : []) {
    const [line, hits] = [countOf(item.line), countOf(item.lineHits)];
    if (line === undefined || line < 1 || hits === undefined) continue;
    file.addLine(line, hits);
    const [all = 0, covered = 0] = [countOf(item.conditions), countOf(item.coveredConditions)];
    if (covered > all || all > MAX_CONDITIONS) continue;
    for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < covered ? 1 : 0);
  }
  return file;
}

/** The items of all pages. */
async function* pages(requests: Requests, address: string, list: string): AsyncGenerator<Json> {
  for (let page = 1, read = 0; ; page += 1) {
    const answer = objectOf(await requests.get(`${address}&ps=${PAGE}&p=${page}`), 'An answer of SonarQube');
    const items = listOf(answer[list], `The list of ${list}`);
    for (const item of items) yield objectOf(item, `One of the ${list}`);
    read += items.length;
    const { total } = isObject(answer.paging) ? answer.paging : {};
    // Each page of measures has all metrics, with another part of their history.
    const parts = list === 'measures' ? page * PAGE : read;
    if (items.length === 0 || parts >= (countOf(total) ?? 0)) return;
  }
}
