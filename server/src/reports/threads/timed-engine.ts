import { createJavaScriptRegexEngine, type JavaScriptScanner } from 'shiki/engine/javascript';
import type { RegexEngine } from 'shiki/types';

/** Thrown out of the grammar, between two searches, once a text has had its time. */
export class TextTookTooLong extends Error {}

/**
 * Scanners whose making is not counted. The largest grammars have a hundred; beyond these a text makes them, as one
 * with a different end for each heredoc does.
 */
const FREE_SCANNERS = 1_000;
/** No grammar looks for them first, so each search ends at once. V8 compiles for texts of one byte and of two. */
const INNOCUOUS = ['\u0001', '\ue000'] as const;

export interface TimedEngineOptions {
  /** Milliseconds of processor that this thread has used. */
  readonly elapsed: () => number;
}

export interface TimedEngine {
  readonly engine: RegexEngine;
  /**
   * A text begins, which may take `limit` ms. `until`: its first number is kept at the value of `elapsed` at which that
   * time is over, or at infinity while a grammar is made ready, for the code that watches the thread.
   */
  begin(limit: number, until: Float64Array): void;
}

/**
 * The engine made of JavaScript's own regexps: it starts at once, and was as fast as Oniguruma or faster. A regexp is
 * compiled when it is first used, which takes seconds for a large grammar. So each is used once it is made, and that is
 * the language's time, not the text's.
 */
export function createTimedEngine({ elapsed }: TimedEngineOptions): TimedEngine {
  const inner = createJavaScriptRegexEngine({ forgiving: true });
  let free = FREE_SCANNERS;
  let deadline = Number.POSITIVE_INFINITY;
  let told: Float64Array = new Float64Array(1);
  const prepare = (patterns: Parameters<RegexEngine['createScanner']>[0]): JavaScriptScanner => {
    const isFree = free > 0;
    if (!isFree) return inner.createScanner(patterns) as JavaScriptScanner;
    const since = elapsed();
    told[0] = Number.POSITIVE_INFINITY;
    const scanner = inner.createScanner(patterns) as JavaScriptScanner;
    for (const regexp of scanner.regexps) if (regexp !== null) useOnce(regexp);
    free -= 1;
    deadline += elapsed() - since;
    told[0] = deadline;
    return scanner;
  };
  const createScanner: RegexEngine['createScanner'] = (patterns) => {
    const scanner = prepare(patterns);
    return {
      findNextMatchSync(...asked) {
        if (elapsed() > deadline) throw new TextTookTooLong();
        return scanner.findNextMatchSync(...asked);
      },
    };
  };
  return {
    engine: { createScanner, createString: (text) => inner.createString(text) },
    begin(limit, until) {
      told = until;
      deadline = elapsed() + limit;
      told[0] = deadline;
    },
  };
}

/** V8 interprets a regexp first, and compiles it at its second use. */
function useOnce(regexp: RegExp): void {
  for (const text of [...INNOCUOUS, ...INNOCUOUS]) {
    regexp.lastIndex = 0;
    regexp.exec(text);
  }
  regexp.lastIndex = 0;
}
