import type { VNode } from 'preact';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import type { Thresholds } from '../../core/verdict/findings.ts';
import { listTag } from '../../wording/check-words.ts';
import { capitalize } from '../../wording/phrases.ts';
import { FAILURES } from '../../wording/reason-words.ts';
import { judgedAt, VerdictMark } from './build-words.tsx';

/** The verdict of a list's row in few words; limits are today's. */
export function VerdictSentence(props: { readonly point: TrendPoint; readonly settings: Thresholds }): VNode {
  const { point, settings } = props;
  const { verdict, overall } = point;
  const tag = overall && listTag(overall);
  const fails = verdict.state === 'failure' && verdict.informational !== true;
  const words = tag ? capitalize(tag.words) : fails ? FAILURES[verdict.rule]?.row(settings) : undefined;
  return <VerdictMark of={judgedAt(point)} words={words} />;
}
