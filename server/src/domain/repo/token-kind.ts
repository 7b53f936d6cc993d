const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^cvr_/, 'a repo token of this service'],
  [/^cvp_/, 'a personal token of this service'],
  [/^cvb_/, 'a badge token of this service, which only reads a badge'],
  [/^github_pat_/, 'a GitHub fine-grained token'],
  [/^ghp_/, 'a GitHub personal token'],
  [/^gh[ousr]_/, 'a GitHub token'],
  [/^eyJ[\w-]*\./, 'a JSON web token'],
  [/^\$\{\{|^\$[A-Z{]|^%[A-Z]/, 'the name of a variable that was not replaced'],
  [/^[\w-]{20,100}$/, 'a token of another kind'],
];

/** What a token looks like, for an answer that must not repeat it (wire.md, "Failures"). */
export function describeToken(token: string): string {
  if (token === '') return 'an empty text';
  return KINDS.find(([pattern]) => pattern.test(token))?.[1] ?? 'a text that is no token of this service';
}
