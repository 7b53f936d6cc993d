import { z } from 'zod';
import { checkFields, field, isSwitch } from '../repos/checked-fields.ts';

const SCHEMA = z.strictObject({ excluded: field('true or false', isSwitch) });

/** `{"excluded": true}` or `{"excluded": false}`. Throws a Failure `payload-invalid`. */
export function readExclusion(body: unknown): boolean {
  return checkFields(SCHEMA, body ?? {}, { prefix: '', known: ['excluded'] }).excluded;
}
