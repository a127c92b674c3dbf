import { createHash } from 'node:crypto'

/** Returns a short hash of the picture that a form was rendered from; '' where no picture is set. */
export const hashPicture = (picture: string) =>
  picture === '' ? '' : createHash('sha256').update(picture).digest('hex').slice(0, 12)
