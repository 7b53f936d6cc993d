import type { BuildJson } from '@coverage/shared';
import type { Service } from '../service.ts';
import { files, push } from './transfer-scene.ts';

/** A text without what two servers differ by: their addresses, and how long ago they were asked. */
function plain(text: string, { url }: Service): string {
  const host = url.slice(url.indexOf('//') + 2);
  return (
    text
      .replaceAll(url, 'SERVER')
      .replaceAll(host, 'HOST')
      // Until when a trend goes: the pages may be asked for in two minutes.
      .replaceAll(/, \d\d:\d\d UTC/g, '')
      .replaceAll(/(?:\d+ (?:second|minute)s?|a (?:second|minute)) (?:ago|old)|just now|name="csrf" value="[^"]*"/g, '')
  );
}

/** Everything that a reader meets of a repo, by address. */
export async function readEverything(service: Service, name: string, builds: readonly string[]) {
  const headers = { authorization: `token ${service.adminToken}` };
  const addresses = [
    `/manual/${name}`,
    `/manual/${name}.json`,
    `/manual/${name}/badge.svg`,
    `/api/v1/repos/manual/${name}/settings`,
    ...builds.flatMap((id) => [`/builds/${id}`, `/builds/${id}.json`, `/builds/${id}/source_files.json`]),
    ...builds.map((id) => `/builds/${id}/source?filename=src%2Fa.ts`),
  ];
  const read = async (address: string) => {
    const { status, text } = await service.api.send(address, { headers });
    return [address, { status, text: plain(text, service) }] as const;
  };
  return new Map(await Promise.all(addresses.map(read)));
}

/** What a new push and a new pull request get: numbers, verdict, base, and what was carried forward. */
export async function judgeNew(service: Service, token: string): Promise<readonly object[]> {
  const legs = { parallel: true, service_name: 'ci', flag_name: 'unit', source_files: files([1, 1, 0, null]) };
  await service.upload(push(token, 8, legs));
  const carried = await service.close(token, 8, 'e2e');
  const pull = await service.uploadAlone(push(token, 9, { service_pull_request: '7', source_files: files([1, 0, 1]) }));
  return [carried, pull].map((build) => judged(build, service));
}

function judged(build: BuildJson, service: Service): object {
  const { number, verdict, base, flags, covered_percent, coverage_change, state, cause } = build as BuildJson &
    Record<string, unknown>;
  const text = JSON.stringify({ number, verdict, base, flags, covered_percent, coverage_change, state, cause });
  return JSON.parse(plain(text, service)) as object;
}
