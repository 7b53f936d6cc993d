import { expect, test } from 'vitest';
import { createTaskLane } from './task-lane.ts';
import { checkUpload, type UploadCheck } from './upload-check.ts';

const TOO_LARGE = { failure: { code: 'payload-too-large', message: '', field: undefined, cause: undefined } };
const never = () => new Promise<never>(() => {});
const known = { known: true, share: '1' };
const unknown = { known: false, share: '203.0.113.7' };

function openLanes() {
  const open = () => createTaskLane({ width: 1, maxQueue: 2 });
  return { known: open(), unknown: open(), quick: open() };
}

test('unknown callers whose checks never end hold up no known one, large or small', async () => {
  const lanes = openLanes();
  const large: UploadCheck = { quick: undefined, whole: never };
  const grown: UploadCheck = { quick: async () => TOO_LARGE, whole: never };
  const held = [large, large, grown].map((check) => checkUpload(check, lanes, unknown));
  for (const one of held) one.catch(() => {});
  const whole = async () => 'whole';
  expect(await checkUpload({ quick: undefined, whole }, lanes, known)).toBe('whole');
  expect(await checkUpload({ quick: async () => TOO_LARGE, whole }, lanes, known)).toBe('whole');
  const quick = { value: 'quick' };
  expect(await checkUpload({ quick: async () => quick, whole }, lanes, known)).toBe(quick);
});
