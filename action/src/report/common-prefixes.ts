import { isAbsoluteName } from './path-names.ts';

/**
 * Where CIs and images put a checkout, `*` for any one part: those of an owner's groups, or of a job's folders, stand
 * once for each depth. What begins with `/` is meant on each drive of Windows too: `C:/actions-runner/_work`.
 */
const FOLDERS: readonly string[] = [
  // GitHub Actions and Azure Pipelines, hosted and own runners
  '/home/runner/work/*/*',
  '/Users/runner/work/*/*',
  '/__w/*/*',
  '/github/workspace',
  'D:/a/*/*',
  'C:/a/*/*',
  '/home/vsts/work/*/s',
  '/_work/*/*',
  '/*/_work/*/*',
  '/*/*/_work/*/*',
  '/*/*/*/_work/*/*',
  // GitLab
  '/builds/*/*',
  '/builds/*/*/*',
  '/builds/*/*/*/*',
  '/builds/*/*/*/*/*',
  '/home/gitlab-runner/builds/*/*/*/*',
  'C:/GitLab-Runner/builds/*/*/*/*',
  // others
  '/home/circleci/project',
  '/home/circleci/*',
  '/root/project',
  '/Users/distiller/project',
  '/home/travis/build/*/*',
  '/Users/travis/build/*/*',
  'C:/Users/travis/build/*/*',
  '/opt/atlassian/pipelines/agent/build',
  '/bitrise/src',
  '/Users/vagrant/git',
  'C:/projects/*',
  '/home/appveyor/projects/*',
  '/var/jenkins_home/workspace/*',
  '/var/jenkins_home/workspace/*/*',
  '/var/lib/jenkins/workspace/*',
  '/var/lib/jenkins/workspace/*/*',
  '/home/jenkins/workspace/*',
  '/home/jenkins/workspace/*/*',
  '/home/jenkins/agent/workspace/*',
  '/home/jenkins/agent/workspace/*/*',
  '/var/lib/buildkite-agent/builds/*/*/*',
  '/buildkite/builds/*/*/*',
  '/drone/src',
  '/woodpecker/src/*/*/*',
  '/tmp/cirrus-ci-build',
  '/home/semaphore/*',
  '/codefresh/volume/*',
  '/codebuild/output/*/src',
  '/codebuild/output/*/src/*/*/*',
  '/opt/buildagent/work/*',
  '/home/rof/src/*/*/*',
  '/Volumes/workspace/repository',
  '/vercel/path0',
  '/opt/build/repo',
  '/opt/render/project/src',
  '/home/build/*',
  // images, editors
  '/app',
  '/usr/src/app',
  '/usr/src/*',
  '/usr/app',
  '/opt/app',
  '/srv/app',
  '/home/node/app',
  '/var/www/html',
  '/var/www/*',
  '/go/src/*/*/*',
  '/workspace',
  '/workspace/*',
  '/workspaces/*',
  '/code',
];

/** By the first part that is no `*`, and where it stands. */
const byPart = new Map<string, { readonly parts: readonly string[]; readonly at: number }[]>();
for (const folder of FOLDERS) {
  const parts = folder.split('/');
  const at = parts.findIndex((part) => part !== '' && part !== '*');
  const part = (parts[at] as string).toLowerCase();
  byPart.set(part, [...(byPart.get(part) ?? []), { parts, at }]);
}
const DEEPEST_PART = Math.max(...[...byPart.values()].flat().map(({ at }) => at));

/** The starts of a clean absolute name that are a usual place of a checkout, with their last `/`. */
export function commonPrefixes(name: string): string[] {
  const parts = name.split('/');
  const fitting = parts
    .slice(0, DEEPEST_PART + 1)
    .flatMap((part, at) => (byPart.get(part.toLowerCase()) ?? []).filter((folder) => folder.at === at))
    .filter((folder) => folder.parts.length < parts.length && folder.parts.every((part, at) => fits(part, parts[at])));
  return [...new Set(fitting.map((folder) => `${parts.slice(0, folder.parts.length).join('/')}/`))];
}

/** Whether a start of names, with its last `/`, is one of them. */
export function isCommonPrefix(start: string): boolean {
  return commonPrefixes(`${start}x`).includes(start);
}

/** Drive letters come in either case; the root of any drive is a root. */
function fits(pattern: string, part = ''): boolean {
  if (pattern === '*' || pattern === part) return true;
  return isAbsoluteName(`${part}/`) && (pattern === '' || pattern.toLowerCase() === part.toLowerCase());
}
