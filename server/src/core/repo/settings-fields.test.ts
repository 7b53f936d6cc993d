import { expect, test } from 'vitest';
import { findSettingsProblems, toSettings } from './settings-fields.ts';

test('only what is given is set; a null switch is not', () => {
  expect(toSettings({})).toEqual({});
  expect(toSettings({ comment_on_pull_requests: false, send_build_status: null, use_status: false })).toEqual({
    commentOnPullRequests: false,
    sendBuildStatus: false,
  });
  expect(toSettings({ send_build_status: true, use_status: false, comment_on_pull_requests: null })).toEqual({
    sendBuildStatus: true,
  });
  expect(toSettings({ commit_status_fail_threshold: 80, commit_status_fail_change_threshold: null })).toEqual({
    minimum: 80,
    allowedDrop: null,
  });
});

test('every problem is named', () => {
  expect(findSettingsProblems({ send_build_status: false, commit_status_fail_threshold: null })).toEqual([]);
  expect(
    findSettingsProblems({ send_build_status: 'no', commit_status_fail_threshold: 101, visibility: 'public' }),
  ).toEqual([
    'send_build_status must be true or false, not "no"',
    'commit_status_fail_threshold must be a number from 0 to 100, or null, not 101',
    expect.stringMatching(/^"visibility" is unknown \(known: comment_on_pull_requests, /),
  ]);
  expect(findSettingsProblems(JSON.parse('{"__proto__": 1, "toString": 2}'))).toHaveLength(2);
});
