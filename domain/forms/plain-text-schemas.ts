/** Rules for text in the input of operations. A text field is built on one of them or on a rule of `form-rules.ts`. */
import * as v from 'valibot'
import { isPlainLine, isPlainText } from '../plain-text-checks.ts'
import { notPlain } from '../texts/field-errors.ts'

/** Schema of any text, unchanged: passwords, tokens, base64 files, and text that the field itself checks or cleans. */
export const unmodifiedText = v.string()

/** Schema of a single line of text, unchanged. */
export const plainLine = v.pipe(unmodifiedText, v.check(isPlainLine, notPlain))

/** Schema of text with several lines; every line break becomes a line feed. */
export const plainText = v.pipe(
  unmodifiedText,
  v.check(isPlainText, notPlain),
  v.transform((value) => value.replace(/\r\n?/g, '\n')),
)
