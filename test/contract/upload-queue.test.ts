import { afterEach, expect, test, vi } from 'vitest';
import { createAcceptJob } from '../../server/src/storage/commands/accept-job.ts';
import type { CommandPrimitives } from '../../server/src/storage/commands/primitives.ts';
import { upload } from './records.ts';

afterEach(() => void vi.useRealTimers());

test('an upload that waited too long for those of its build is refused, and begins nothing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const store: Pick<
    CommandPrimitives<string, string>,
    'sentBytes' | 'stageUpload' | 'findAccepted' | 'finishUpload'
  > = {
    sentBytes: async () => 0,
    stageUpload: async () => 'staged',
    findAccepted: async () => undefined,
    finishUpload: async () => undefined,
  };
  const accept = createAcceptJob(store as CommandPrimitives<string, string>, async (_key, task) => {
    vi.advanceTimersByTime(10_001);
    return task();
  });
  await expect(accept(upload(1, { serviceNumber: '71' }))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The uploads of this build have waited too long for the database.'),
  });
});
