/** What a scrape answered: the value of each series, by its name and labels as they stand there. */
export class Exposition {
  readonly series: ReadonlyMap<string, number>;
  /** By name, without labels. */
  readonly types: ReadonlyMap<string, string>;

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => line !== '');
    const series = lines.filter((line) => !line.startsWith('#')).map(readSeries);
    this.series = new Map(series);
    this.types = new Map(lines.flatMap(readType));
    if (this.series.size !== series.length) throw new Error('A series stands in the text twice');
  }

  /** The sum of the series of a name that have these labels; undefined if there is none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = [...this.series].filter(
      ([key]) => key.split('{', 1)[0] === name && wanted.every((label) => key.includes(label)),
    );
    return found.length === 0 ? undefined : found.reduce((sum, [, value]) => sum + value, 0);
  }
}

function readSeries(line: string): [string, number] {
  const end = line.lastIndexOf(' ');
  const [key, value] = [line.slice(0, end), toNumber(line.slice(end + 1))];
  if (!/^[a-zA-Z_:][\w:]*(\{[^\n]*\})?$/.test(key) || value === undefined) throw new Error(`No series: ${line}`);
  return [key, value];
}

function readType(line: string): [string, string][] {
  const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
  return name === '' ? [] : [[name, type]];
}

/** Prometheus reads every way of writing that there is no number. */
function toNumber(text: string): number | undefined {
  const value = Number(text);
  return Number.isNaN(value) && text.toLowerCase() !== 'nan' ? undefined : value;
}
