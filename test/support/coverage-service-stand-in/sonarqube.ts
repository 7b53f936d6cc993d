import { Refused, type RestServer, startRestServer } from '../rest-stand-in/rest-server.ts';

export interface SonarAnalysis {
  readonly revision: string;
  /** As SonarQube writes it: `2026-01-31T10:00:00+0100`. */
  readonly date: string;
  /** Values of metrics, as texts. */
  readonly measures: Readonly<Record<string, string>>;
}

export interface SonarLine {
  readonly line: number;
  readonly lineHits?: number;
  readonly conditions?: number;
  readonly coveredConditions?: number;
}

/** SonarQube's web API of one project: its analyses, newest first, their measures, and the lines of the newest. */
export function startSonarqube(
  analyses: readonly SonarAnalysis[],
  files: Readonly<Record<string, readonly SonarLine[]>>,
): Promise<RestServer> {
  const paging = (total: number) => ({ pageIndex: 1, pageSize: 500, total });
  return startRestServer({
    now: Date.now,
    answer(request) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sonar.example');
      if (
        ![searchParams.get('project'), searchParams.get('component'), searchParams.get('key')?.split(':')[0]].includes(
          'shop',
        )
      )
        throw new Refused(404, { errors: [{ msg: 'not found' }] });
      switch (pathname) {
        case '/api/project_branches/list':
          return {
            status: 200,
            body: {
              branches: [
                { name: 'topic', isMain: false },
                { name: 'main', isMain: true },
              ],
            },
          };
        case '/api/project_analyses/search': {
          const found = analyses.map(({ revision, date }, at) => ({
            key: `A${at}`,
            date,
            revision,
            projectVersion: '1.0',
          }));
          return { status: 200, body: { paging: paging(found.length), analyses: found } };
        }
        case '/api/measures/search_history': {
          const metrics = (searchParams.get('metrics') ?? '').split(',');
          const history = (metric: string) => analyses.map(({ date, measures }) => ({ date, value: measures[metric] }));
          const measures = metrics.map((metric) => ({ metric, history: history(metric) }));
          return { status: 200, body: { paging: paging(analyses.length), measures } };
        }
        case '/api/components/tree': {
          const components = Object.keys(files).map((path) => ({ key: `shop:${path}`, path, qualifier: 'FIL' }));
          return { status: 200, body: { paging: paging(components.length), components } };
        }
        case '/api/sources/lines': {
          const path = searchParams.get('key')?.slice('shop:'.length) ?? '';
          return { status: 200, body: { sources: files[path] ?? [] } };
        }
        default:
          throw new Refused(404, { errors: [{ msg: 'not found' }] });
      }
    },
  });
}
