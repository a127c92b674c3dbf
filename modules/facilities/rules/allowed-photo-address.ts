/**
 * Returns a facility's photo address if it is allowed: a path of this site, or an https URL without user name and
 * password; otherwise ''.
 */
export function photoAddress(photo: string): string {
  if (photo.startsWith('/') && !photo.startsWith('//')) return photo
  return photoOrigin(photo) === null ? '' : photo
}

/**
 * Returns the origin that the content security policy must allow for a photo, such as 'https://images.example.com';
 * null for paths of this site, and for any address but an https URL without user name and password.
 */
export function photoOrigin(photo: string): string | null {
  if (!URL.canParse(photo)) return null
  const { protocol, origin, username, password } = new URL(photo)
  return protocol === 'https:' && username === '' && password === '' ? origin : null
}
