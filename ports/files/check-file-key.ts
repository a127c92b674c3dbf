const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/
const MAX_KEY_LENGTH = 200

/**
 * Returns the key if valid: segments separated by `/`, each of `a-z0-9._-` and beginning with a letter or digit, at
 * most 200 characters in all.
 * @throws RangeError otherwise
 */
export function checkedFileKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new RangeError(`Not a file key: ${JSON.stringify(key)}`)
  return key
}
