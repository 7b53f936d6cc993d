import { expect, test } from 'vitest';
import { readActionsClaims } from '../actions-claims.ts';
import { findGithub } from './addresses.ts';
import { githubIdTokens } from './id-tokens.ts';

const issuersOf = (githubApiUrl: string, githubOidcIssuers?: readonly string[]) =>
  githubIdTokens({ ...findGithub({ githubUrl: undefined, githubApiUrl }), githubOidcIssuers }).issuers;

test.each([
  ['https://api.github.com', 'https://token.actions.githubusercontent.com'],
  ['https://api.octo.ghe.com', 'https://token.actions.octo.ghe.com'],
  ['https://ghe.example/api/v3', 'https://ghe.example/_services/token'],
])('the id-tokens of the GitHub at %s are of %s', (api, issuer) => expect(issuersOf(api)).toEqual([issuer]));

test('the operator may name other issuers, or none', () => {
  const named = ['https://token.actions.githubusercontent.com/acme'];
  expect(issuersOf('https://api.github.com', named)).toEqual(named);
  expect(issuersOf('https://api.github.com', [])).toEqual([]);
});

const CLAIMS = {
  repository_id: '17',
  repository: 'acme/shop',
  run_id: '4711',
  run_number: '3',
  run_attempt: '2',
  sha: 'A'.repeat(40),
  ref: 'refs/pull/7/merge',
  head_ref: 'topic',
  event_name: 'pull_request',
  actor: 'mona',
};
const read = (claims: object) => readActionsClaims({ ...CLAIMS, ...claims }, { service: 'github', needsId: true });

test('claims are read as what they say of the run', () => {
  expect(read({ run_number: undefined })).toEqual({
    repo: { id: '17', name: 'acme/shop' },
    run: '4711',
    number: undefined,
    attempt: 2,
    commit: 'a'.repeat(40),
    ref: 'refs/pull/7/merge',
    headBranch: 'topic',
    event: 'pull_request',
    actor: 'mona',
  });
});

test.each([
  ['repository_id', 17],
  ['repository', 'acme'],
  ['run_id', '-1'],
  ['run_number', '1e3'],
  ['run_attempt', '0'],
  ['sha', 'abc'],
  ['ref', ''],
  ['event_name', undefined],
])('a wrong %s is named', (claim, value) => expect(read({ [claim]: value })).toEqual({ wrong: claim }));
