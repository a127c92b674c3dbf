import { expect, test } from 'vitest'
import { readReply } from './text-messages.ts'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Stop texting me', 'stop'],
  ['unsubscribe', 'stop'],
  ['START', 'start'],
  ['unstop', 'start'],
  ['stopped by the gate, code fails', null],
  ['When do you open?', null],
  ['', null],
])('a reply of %j asks to %s', (text, wanted) => {
  expect(readReply(text)).toBe(wanted)
})
