/**
 * Returns the spellings of a typed unit number by which units are looked up: as typed, in capitals, in small letters,
 * and with a capital at the start of each word ('Bay 4'). A list of values can use the index of unit numbers.
 */
export function unitNumberSpellings(typed: string): string[] {
  const number = typed.trim().replace(/\s+/g, ' ')
  const small = number.toLowerCase()
  const spellings = [number, number.toUpperCase(), small, small.replace(/(?<!\S)\S/g, (first) => first.toUpperCase())]
  return [...new Set(spellings)]
}
