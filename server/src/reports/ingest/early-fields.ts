import { readJobBeginning } from './body-encodings.ts';
import { decodeForm } from './form-body.ts';
import type { UploadBody } from './ingest.ts';
import { type Ending, listMembers, type Member } from './job-members.ts';

/** Bytes of a body, and of what they unpack to, that are looked at before the rest: a fraction of a millisecond. */
export const EARLY_BYTES = 16_384;

/** Bytes at the end of a body in which a token is looked for. */
const LATE_BYTES = 4_096;

/** Top-level members that are looked at: no client has a tenth of it in front of its token. */
const MAX_MEMBERS = 500;
/** Characters of a token or name; longer ones are left to the check of the whole job. */
const MAX_TEXT = 1_000;
/** ID tokens are long. */
export const MAX_TOKEN = 8_000;

/** What the beginning of an upload says of who sends it. */
export interface EarlyFields {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  /** The job ends in it and has no token. */
  readonly hasNoToken: boolean;
}

const KEYS = ['repo_token', 'repo_name', 'json'] as const;
type Key = (typeof KEYS)[number];

/** Looks at the first EARLY_BYTES of a body, in any of the encodings; what is wrong with them it does not say. */
export async function readEarlyFields(beginning: UploadBody): Promise<EarlyFields> {
  const job = await readJobBeginning(beginning, EARLY_BYTES);
  const outer = scan(job ?? new Uint8Array());
  const json = outer.found.get('json');
  if (json === undefined || outer.found.has('repo_token')) return toFields(outer);
  // E7: the job is a string within JSON (wire.md).
  const inner = scan(Buffer.from(readString(json) ?? ''));
  return toFields({ ending: outer.ending === 'broken' ? 'broken' : inner.ending, found: inner.found });
}

/**
 * A repo_token near the end of a body that is not packed, where some clients put it. It may be another object's: only a
 * token that is known says anything.
 */
export function findLateToken({ bytes, contentEncoding }: UploadBody): string | undefined {
  if (contentEncoding !== '') return undefined;
  const end = bytes.subarray(-LATE_BYTES);
  for (const text of [end, decodeForm(end)].map((part) => Buffer.from(part).toString('latin1'))) {
    const at = text.lastIndexOf('"repo_token"');
    const [, token] = at < 0 ? [] : (/^"repo_token"\s*:\s*"([^"\\]+)"/.exec(text.slice(at)) ?? []);
    if (token !== undefined) return token.trim();
  }
  return undefined;
}

interface Scanned {
  readonly ending: Ending;
  /** For a repeated key the last counts, as everywhere. */
  readonly found: ReadonlyMap<Key, Member>;
}

function scan(job: Uint8Array): Scanned {
  const found = new Map<Key, Member>();
  const members = listMembers(job);
  for (let count = 0; count < MAX_MEMBERS; count += 1) {
    const member = members.next();
    if (member.done) return { ending: member.value, found };
    const name = readString({ value: member.value.name, isWhole: true });
    const key = KEYS.find((one) => one === name);
    if (key !== undefined) found.set(key, member.value);
  }
  return { ending: 'cut-off', found };
}

function toFields({ ending, found }: Scanned): EarlyFields {
  // The check of the whole job says what is wrong with it.
  if (ending === 'broken') return { token: undefined, repoName: undefined, hasNoToken: false };
  const textOf = (key: Key, longest: number): string | undefined => {
    const member = found.get(key);
    const text = member?.isWhole ? readString(member)?.trim() : undefined;
    return text === '' || (text?.length ?? 0) > longest ? undefined : text;
  };
  return {
    token: textOf('repo_token', MAX_TOKEN),
    repoName: textOf('repo_name', MAX_TEXT),
    hasNoToken: ending === 'closed' && !found.has('repo_token'),
  };
}

/** The longest escape, which may be cut off anywhere. */
const LONGEST_ESCAPE = 6;

/** The text of a JSON string; undefined for any other value. */
function readString({ value, isWhole }: Pick<Member, 'value' | 'isWhole'>): string | undefined {
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  if (!text.startsWith('"')) return undefined;
  for (let cut = 0; cut < LONGEST_ESCAPE; cut += 1) {
    try {
      return JSON.parse(isWhole ? text : `${text.slice(0, text.length - cut)}"`) as string;
    } catch {
      if (isWhole) return undefined;
    }
  }
  return undefined;
}
