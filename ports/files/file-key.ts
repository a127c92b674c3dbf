const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/
const LONGEST_KEY = 200

/** @throws RangeError for no key of ours: lower-case segments of letters, digits and `._-`, at most 200 characters */
export function checkedFileKey(key: string): string {
  if (key.length > LONGEST_KEY || !KEY.test(key)) throw new RangeError(`Not a file key: ${JSON.stringify(key)}`)
  return key
}
