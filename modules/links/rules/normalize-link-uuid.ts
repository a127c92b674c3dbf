const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns a link's uuid in lower case, as stored; null when it is malformed. */
export function normalizeLinkUuid(uuid: string | undefined | null): string | null {
  const key = (uuid ?? '').trim().toLowerCase()
  return uuidShape.test(key) ? key : null
}
