const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/
const LONGEST_KEY = 200

/**
 * A file's key: lower-case segments of letters, digits and `._-`, at most 200 characters.
 * @throws RangeError for another: a mistake of ours, found before any store is touched
 */
export function checkedFileKey(key: string): string {
  if (key.length > LONGEST_KEY || !KEY.test(key)) throw new RangeError(`Not a file key: ${JSON.stringify(key)}`)
  return key
}
