import { expect, test } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../ingest/ingest.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { createTaskQueue } from './task-queue.ts';
import { checkUpload, createCheck, type UploadCheck } from './upload-check.ts';

const TOO_LARGE = { failure: { code: 'payload-too-large', message: '', field: undefined, cause: undefined } };
const never = () => new Promise<never>(() => {});
const known = { known: true, share: '1' };
const unknown = { known: false, share: '203.0.113.7' };

function openQueues() {
  const open = () => createTaskQueue({ width: 1, maxQueue: 2 });
  return { known: open(), unknown: open(), quick: open() };
}

test('unknown callers whose checks never end hold up no known one, large or small', async () => {
  const queues = openQueues();
  const large: UploadCheck = { quick: undefined, whole: never };
  const grown: UploadCheck = { quick: async () => TOO_LARGE, whole: never };
  const held = [large, large, grown].map((check) => checkUpload(check, queues, unknown));
  for (const one of held) one.catch(() => {});
  const whole = async () => 'whole';
  expect(await checkUpload({ quick: undefined, whole }, queues, known)).toBe('whole');
  expect(await checkUpload({ quick: async () => TOO_LARGE, whole }, queues, known)).toBe('whole');
  const quick = { value: 'quick' };
  expect(await checkUpload({ quick: async () => quick, whole }, queues, known)).toBe(quick);
});

test.each([
  ['413 where it used its time on a processor', 90, 'payload-too-large', 'Split it with `parallel`'],
  ['503 where the machine was busy with others', 70, 'unavailable', "because the server's machine is busy"],
])('what is not checked in time is refused: %s', async (_, used, code, sentence) => {
  // A thread that continues until it is ended.
  const pool = {
    threads: [],
    run: (_task: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  };
  const options = {
    limits: DEFAULT_INGEST_LIMITS,
    checkLimit: 100,
    buffers: createBodyBuffers(),
    processorTime: async () => used,
  };
  const body = { bytes: Buffer.from('{}'), contentType: '', contentEncoding: '' };
  // It waited for all of its time already.
  const check = createCheck(pool as unknown as Parameters<typeof createCheck>[0], options, {
    body,
    spent: 100,
    task: 'ingest',
  });
  await expect(check.whole()).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) });
});
