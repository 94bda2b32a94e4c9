/** A number with its noun: "1 line", "3 lines", "2 entries". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
