import type { Context } from 'koa';

/** Answers an HTML page; what it may do is said by protect-answers.ts. */
export function sendPage(context: Pick<Context, 'type' | 'body'>, html: string): void {
  context.type = 'text/html; charset=utf-8';
  context.body = html;
}
