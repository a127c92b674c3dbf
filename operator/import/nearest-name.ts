import { editDistance } from '../../ports/geocoder/normalize-and-compare-place-names.ts'

/** Returns the name that is closest to a mistyped one; undefined if none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : undefined
}
