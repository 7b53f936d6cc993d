import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from 'shiki/core';
import { bundledLanguages } from 'shiki/langs';
import { HIGHLIGHT_KINDS, type Highlights, NUMBERS_PER_RUN } from '../../core/coverage/highlights.ts';
import { MAX_HIGHLIGHTED_LINE } from '../highlighter.ts';
import { languageOf } from './source-languages.ts';
import { createTimedEngine, TextTookTooLong, type TimedEngineOptions } from './timed-engine.ts';

/** Colors that stand for kinds: pages color by classes, since their policy allows no inline style. */
const PLAIN = '#000000';
const COLORS = ['#000001', '#000002', '#000003'] as const;

/** The scopes that grammars give, in TextMate's words; the longest one that fits decides. */
const SCOPES: readonly (readonly [color: string, scopes: readonly string[]])[] = [
  [COLORS[0], ['keyword', 'storage', 'constant.language', 'variable.language', 'support.type.primitive']],
  [COLORS[0], ['entity.name.tag', 'support.type.property-name', 'keyword.operator.new', 'markup.heading']],
  [COLORS[0], ['keyword.operator.expression', 'keyword.operator.logical.python', 'keyword.operator.wordlike']],
  [PLAIN, ['keyword.operator', 'storage.type.function.arrow', 'meta.template.expression', 'meta.embedded']],
  [COLORS[1], ['string', 'constant.numeric', 'constant.character', 'punctuation.definition.string']],
  [COLORS[2], ['comment', 'punctuation.definition.comment']],
];

const THEME: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: PLAIN,
  bg: '#ffffff',
  settings: [
    { settings: { foreground: PLAIN } },
    ...SCOPES.map(([foreground, scope]) => ({ scope: [...scope], settings: { foreground } })),
  ],
};

/** What one text may take. */
export interface HighlightBounds {
  /** Milliseconds of processor. */
  readonly limit: number;
  /** As a TimedEngine keeps it. */
  readonly until: Float64Array;
}

/** The colored parts of a text, none if the name tells no language; undefined if it takes too long. */
export type HighlightText = (name: string, text: string, bounds: HighlightBounds) => Promise<Highlights | undefined>;

export function createHighlightText(options: TimedEngineOptions): HighlightText {
  const { engine, begin } = createTimedEngine(options);
  let opened: Promise<HighlighterCore> | undefined;
  return async (name, text, { limit, until }) => {
    const lang = languageOf(name);
    if (lang === undefined) return new Uint32Array(0);
    opened ??= createHighlighterCore({ themes: [THEME], engine });
    const highlighter = await opened;
    await highlighter.loadLanguage(bundledLanguages[lang]);
    // 0: a line has no time of its own.
    const asked = { lang, theme: 'kinds', tokenizeMaxLineLength: MAX_HIGHLIGHTED_LINE, tokenizeTimeLimit: 0 };
    begin(limit, until);
    try {
      return packRuns(highlighter.codeToTokensBase(text, asked));
    } catch (error) {
      if (error instanceof TextTookTooLong) return undefined;
      throw error;
    }
  };
}

type Token = { readonly content: string; readonly color?: string };

function packRuns(lines: readonly (readonly Token[])[]): Highlights {
  const runs: number[] = [];
  for (const [line, tokens] of lines.entries()) {
    let at = 0;
    for (const { content, color = PLAIN } of tokens) {
      const end = at + content.length;
      const kind = (COLORS as readonly string[]).indexOf(color);
      const joins = runs.at(-4) === line && runs.at(-2) === at && runs.at(-1) === kind;
      if (joins) runs[runs.length - 2] = end;
      else if (kind >= 0 && kind < HIGHLIGHT_KINDS.length) runs.push(line, at, end, kind);
      at = end;
    }
  }
  return Uint32Array.from(runs.length % NUMBERS_PER_RUN === 0 ? runs : []);
}
