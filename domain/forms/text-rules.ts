/** Rules for text in the input of operations. Every text field is built on one of these schemas. */
import * as v from 'valibot'
import { isPlainLine, isPlainText } from '../text-checks.ts'
import { notPlain } from '../texts/field-errors.ts'

/**
 * Schema of text that is compared, hashed or decoded exactly as sent and never shown: passwords, tokens, base64 files.
 */
export const unmodifiedText = v.string()

/** Schema of a single line of text, unchanged. */
export const plainLine = v.pipe(unmodifiedText, v.check(isPlainLine, notPlain))

/** Schema of text with several lines; every line break becomes a line feed. */
export const plainText = v.pipe(
  unmodifiedText,
  v.check(isPlainText, notPlain),
  v.transform((value) => value.replace(/\r\n?/g, '\n')),
)
