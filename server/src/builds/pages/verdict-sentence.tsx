import type { VNode } from 'preact';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import type { Thresholds } from '../../core/verdict/findings.ts';
import { FAILURES } from '../../wording/rule-words.ts';
import { VerdictMark } from './build-words.tsx';

/** The verdict of a list's row in few words; limits are today's. */
export function VerdictSentence(props: {
  readonly verdict: TrendPoint['verdict'];
  readonly settings: Thresholds;
}): VNode {
  const { verdict, settings } = props;
  const fails = verdict.state === 'failure' && verdict.informational !== true;
  return <VerdictMark of={verdict} words={fails ? FAILURES[verdict.rule]?.row(settings) : undefined} />;
}
