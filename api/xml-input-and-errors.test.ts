import { expect, it } from 'vitest'
import { writeXmlError } from './xml-input-and-errors.ts'

it('writes an error with its fields', () => {
  expect(writeXmlError({ code: 'invalid_input', message: 'No.', fields: { 'a"b': 'is <required>' } })).toBe(
    '<Error><Code>invalid_input</Code><Message>No.</Message><Field name="a&quot;b">is &lt;required&gt;</Field></Error>',
  )
})
