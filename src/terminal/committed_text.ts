/** What the person is told of a commit of an edit. */
export function committedText(commit: string): string {
  return `committed ${commit.slice(0, 7)}; /undo takes it back`;
}
