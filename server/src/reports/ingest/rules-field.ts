import { type CheckedRules, checkRules } from '../../core/builds/sent-rules.ts';
import type { BroughtRules } from './ingest.ts';
import { describeValue } from './refusals.ts';
import { OBJECT_FORM } from './sentences.ts';
import { packText } from './source-texts.ts';

/**
 * Reads the key `coverage_yml` of a job; null: it says that there is no such file. As with its diff, nothing in it
 * refuses an upload: what does not fit is left out, with a warning.
 */
export function readRulesField(value: unknown): {
  readonly rules?: BroughtRules | null;
  readonly warnings: readonly string[];
} {
  if (value === undefined || value === '') return { warnings: [] };
  if (value === null) return { rules: null, warnings: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return misfit({ of: 'it', must: OBJECT_FORM, value });
  const checked = checkRules(value);
  if ('must' in checked) return misfit(checked);
  const packed = packText(Buffer.from(checked.text));
  return packed === undefined ? { warnings: [] } : { rules: { path: checked.path, ...packed }, warnings: [] };
}

/** What the job says of it, and the text to store. */
export function splitRules(rules: BroughtRules | null | undefined) {
  if (!rules) return { facts: rules === null ? { rulesFile: null } : {}, sources: [] };
  const { path, digest, bytes } = rules;
  return { facts: { rulesFile: { path, digest } }, sources: [{ digest, bytes }] };
}

function misfit({ of, must, value }: Extract<CheckedRules, { readonly must: string }>) {
  return {
    warnings: [`The upload's coverage_yml was not used: ${of} must be ${must}, and is ${describeValue(value)}.`],
  };
}
