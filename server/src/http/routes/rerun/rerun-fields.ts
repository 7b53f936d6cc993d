import type { RequestRerunInput } from '../../../use-cases/uploads/request-rerun.ts';
import { readClosePayload } from '../webhook/close-payload.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A rerun's fields, in the query or the body, `build_num` bare or within a payload as a close has it. Throws a Failure
 * `payload-invalid` for what does not fit.
 */
export function readRerun(query: Fields, body: unknown): RequestRerunInput {
  const fields = isFields(body) ? body : {};
  const bare = [query.build_num, fields.build_num].find(
    (value) => value !== undefined && value !== null && value !== '',
  );
  const payload = bare === undefined ? fields.payload : { build_num: bare };
  const { token, repoName, buildNumber } = readClosePayload(
    query,
    isFields(body) ? { ...fields, payload } : (body ?? { payload }),
  );
  return { token, repoName, buildNumber };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
