import type { JobAnswer } from '@coverage/shared';
import { expect } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { jsonPost, type Reply } from './coverage-api.ts';
import type { Service } from './service.ts';

interface Place {
  readonly service: Service;
  /** `gitlab`, and what its CI calls itself. */
  readonly host: string;
  readonly ci: string;
  /** The first repo of the service. */
  readonly repo: string;
  /** What the host was told beside what is stored. */
  readonly told: () => object;
}

/** Uploads to a public repo at any host, and all that comes of them. */
export interface HostForks {
  set(settings: object): Promise<void>;
  upload(fields: object, coverage?: readonly number[]): Promise<Reply<JobAnswer>>;
  /** The build of one that is taken, once nothing is due. */
  uploaded(fields: object, coverage?: readonly number[]): Promise<Build>;
  close(fields: object, buildNumber: string): Promise<Reply<unknown>>;
  badge(): Promise<string>;
  everything(): Promise<object>;
}

/** All lines of the one file, and a quarter of them. */
export const [ALL, QUARTER] = [
  [1, 1, 1, 1],
  [1, 0, 0, 0],
];

export async function openHostForks({ service, host, ci, repo, told }: Place): Promise<HostForks> {
  const { api, store } = service;
  const set: HostForks['set'] = (settings) => api.changeSettings(repo, settings, host);
  const upload: HostForks['upload'] = (fields, coverage = QUARTER) => {
    const source_files = [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }];
    const job = { repo_name: repo, service_name: ci, source_files, ...fields };
    return api.uploadJob(job as Parameters<typeof api.uploadJob>[0]);
  };
  const builds = () => service.settledBuilds(1);
  await set({ visibility: 'public' });
  return {
    set,
    upload,
    async uploaded(fields, coverage) {
      const { status, text, json } = await upload(fields, coverage);
      expect([status, text]).toEqual([200, expect.stringContaining('Job #')]);
      const job = await store.jobs.find(Number(json.url.slice(json.url.lastIndexOf('/') + 1)));
      return (await builds()).find(({ id }) => id === job?.buildId) as Build;
    },
    close: (fields, buildNumber) =>
      api.send('/webhook', jsonPost({ ...fields, payload: { build_num: buildNumber, status: 'done' } })),
    badge: async () => (await fetch(`${service.url}/${host}/${repo}/badge.svg`)).text(),
    everything: async () => ({ builds: await builds(), told: told() }),
  };
}
