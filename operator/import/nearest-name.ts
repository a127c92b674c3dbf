/** Returns the name that is closest to a mistyped one; undefined if none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : undefined
}

/** Returns the Levenshtein distance: insertions, deletions and substitutions between two words. */
function editDistance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const row = [index + 1]
    for (const [column, other] of [...to].entries())
      row.push(Math.min(row[column]! + 1, before[column + 1]! + 1, before[column]! + (letter === other ? 0 : 1)))
    before = row
  }
  return before.at(-1)!
}
