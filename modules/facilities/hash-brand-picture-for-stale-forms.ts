import { createHash } from 'node:crypto'

/** Returns a short hash of a brand picture, by which a stale form is detected; '' where no picture is set. */
export const hashPicture = (picture: string) =>
  picture === '' ? '' : createHash('sha256').update(picture).digest('hex').slice(0, 12)
