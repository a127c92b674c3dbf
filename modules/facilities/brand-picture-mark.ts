import { createHash } from 'node:crypto'

/** What a form was made from: '' for Latchkey's own. */
export const markOfPicture = (picture: string) =>
  picture === '' ? '' : createHash('sha256').update(picture).digest('hex').slice(0, 12)
