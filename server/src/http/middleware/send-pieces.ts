import type { Context } from 'koa';
import { nextTurn } from './turns.ts';

/** Characters that are made in one turn. */
const IN_A_TURN = 16_384;

type Answer = Pick<Context, 'type' | 'body'>;

/** Answers an HTML page; what it may do is said by protect-answers.ts. */
export function sendPage(context: Answer, pieces: Iterable<string>): Promise<void> {
  return sendPieces(context, 'text/html; charset=utf-8', pieces);
}

/** Answers a text that is made piece by piece, in turns: others are answered between two of them. */
export async function sendPieces(context: Answer, type: string, pieces: Iterable<string>): Promise<void> {
  let text = '';
  let made = 0;
  for (const piece of pieces) {
    text += piece;
    made += piece.length;
    if (made < IN_A_TURN) continue;
    made = 0;
    await nextTurn();
  }
  context.type = type;
  context.body = text;
}
