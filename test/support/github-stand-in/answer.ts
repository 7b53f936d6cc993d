/** Answers in GitHub's shapes. */
export interface Answer {
  readonly status: number;
  /** Serialized as JSON; undefined means no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by an operation to end a call with a refusal. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`Refused with ${answer.status}`);
    this.name = 'Refusal';
    this.answer = answer;
  }
}

/** One entry of the `errors` of a 422. */
export interface FieldError {
  readonly resource: string;
  readonly field: string;
  readonly code: 'custom' | 'invalid' | 'missing_field' | 'unprocessable';
  readonly message?: string;
}

const manual = 'https://docs.github.com/rest';

/** The plain form of a failure: message, manual, and the status as text (GitHub repeats it there). */
export function failure(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { message, documentation_url: manual, status: String(status) }, headers };
}

export function notFound(): Refusal {
  return new Refusal(failure(404, 'Not Found'));
}

/** 422 that names the fields. */
export function validationFailed(...errors: FieldError[]): Refusal {
  return new Refusal({
    status: 422,
    body: { message: 'Validation Failed', errors, documentation_url: manual, status: '422' },
  });
}

/** The part of a list that `page` and `per_page` ask for, with GitHub's Link header. */
export function pageOf<T>(
  items: readonly T[],
  query: URLSearchParams,
  address: string,
): { items: T[]; headers: Record<string, string> } {
  const perPage = Math.min(Math.max(Number(query.get('per_page') ?? 30) || 30, 1), 100);
  const page = Math.max(Number(query.get('page') ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(items.length / perPage), 1);
  const link = (number: number, relation: string): string => {
    const next = new URLSearchParams(query);
    next.set('page', String(number));
    return `<${address}?${next}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  };
}
