import type { Handler } from '../oncehook.ts';
import { credit } from './credit.ts';

/** The part of GitHub's `push` event that the example reads. */
export interface Push {
  readonly repository: { readonly full_name: string };
  readonly commits: readonly unknown[];
}

/** Adds the number of pushed commits to the repository's account. */
export const countCommits: Handler<Push> = async (event, work) => {
  const account = `repo:${event.body.repository.full_name}`;

  credit(work, account, event.body.commits.length);
  return { account };
};
