import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** For people at a terminal: takes lines of JSON, and writes each as a line of text, with colors where they work. */
export function openPrettyLines(out: { write(text: string): unknown } = process.stdout): DestinationStream {
  const toText = prettyFactory({
    errorLikeObjectKeys: ['err', 'error', 'cause'],
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
  });
  return { write: (line) => void out.write(toText(line)) };
}
