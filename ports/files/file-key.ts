const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/
const MAX_KEY_LENGTH = 200

/**
 * Returns the key if valid: lower-case segments of letters, digits and `._-`, at most 200 characters.
 * @throws RangeError otherwise
 */
export function checkedFileKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new RangeError(`Not a file key: ${JSON.stringify(key)}`)
  return key
}
