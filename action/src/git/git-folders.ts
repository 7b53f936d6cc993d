import { withoutWorkspacePath } from './git-environment.ts';
import { type GitFolder, type GitOptions, openGitFolder } from './git-folder.ts';
import { findGitPlaces } from './git-places.ts';

/** The checkouts of one step. */
export interface GitFolders {
  /** Undefined if the folder itself is no checkout inside the workspace, or git cannot be asked. */
  at(root: string, signal?: AbortSignal): Promise<GitFolder | undefined>;
  /** Takes away what was made for them. */
  remove(): Promise<void>;
}

/** Opens each checkout of a workspace once. */
export function createGitFolders(workspace: string, options: GitOptions): GitFolders {
  const env = withoutWorkspacePath(options.env ?? process.env, workspace);
  const opened = new Map<string, Promise<GitFolder | undefined>>();
  return {
    at(root, signal) {
      const known = opened.get(root);
      if (known !== undefined) return known;
      const places = findGitPlaces(root, workspace);
      // What cannot be made, on a full disk say, is as good as no checkout: the report is uploaded anyway.
      const opening = Promise.resolve(
        places && openGitFolder(places, { ...options, env }, signal).catch(() => undefined),
      );
      opened.set(root, opening);
      return opening;
    },
    async remove() {
      for (const folder of await Promise.all(opened.values())) folder?.remove();
    },
  };
}
