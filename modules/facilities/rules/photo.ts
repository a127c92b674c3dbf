/** Where a facility's photo may come from: one of our own paths, or an https address; '' for anything else. */
export function photoAddress(photo: string): string {
  if (photo.startsWith('/') && !photo.startsWith('//')) return photo
  return photoOrigin(photo) === null ? '' : photo
}

/** The origin that a page's policy must allow for pictures: 'https://images.example.com'; null for our own paths and for no address. */
export function photoOrigin(photo: string): string | null {
  if (!URL.canParse(photo)) return null
  const { protocol, origin, username, password } = new URL(photo)
  return protocol === 'https:' && username === '' && password === '' ? origin : null
}
