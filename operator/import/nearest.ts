/** The known name that a mistyped one is closest to; undefined where none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((known) => ({ known, edits: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.known.length / 3)) ? best.known : undefined
}

/** Levenshtein's: insertions, deletions and substitutions from one word to the other. */
function editDistance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const row = [index + 1]
    for (const [at, other] of [...to].entries())
      row.push(Math.min(row[at]! + 1, before[at + 1]! + 1, before[at]! + (letter === other ? 0 : 1)))
    before = row
  }
  return before.at(-1)!
}
