/** What counts as text in the input of an operation: the roots of which every text field is made. */
import * as v from 'valibot'
import { isPlainLine, isPlainText } from '../plain-text.ts'
import { notPlain } from '../texts/fields.ts'

/** Compared, hashed or decoded as it was sent, and shown nowhere: a password, a token, a file in base64. */
export const asSent = v.string()

/** What was written in one line, as it was written. */
export const plainLine = v.pipe(asSent, v.check(isPlainLine, notPlain))

/** What was written in several lines, or pasted; with line feeds for every line break. */
export const plainText = v.pipe(
  asSent,
  v.check(isPlainText, notPlain),
  v.transform((value) => value.replace(/\r\n?/g, '\n')),
)
