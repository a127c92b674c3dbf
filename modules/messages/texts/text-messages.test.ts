import { expect, test } from 'vitest'
import { readReply } from './text-messages.ts'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Stop texting me', 'stop'],
  ['unsubscribe', 'stop'],
  ["please don't text me any more", 'stop'],
  ['Pls dont text this number', 'stop'],
  ['Please don’t send me any more messages', 'stop'],
  ['Do not contact me again!', 'stop'],
  ['I no longer want to receive texts from you', 'stop'],
  ['I do not want these messages', 'stop'],
  ['no more texts please', 'stop'],
  ['Hi, please stop sending me texts', 'stop'],
  ['Can you stop texting', 'stop'],
  ['Remove me', 'stop'],
  ['remove my number from your list', 'stop'],
  ['Take me off your list', 'stop'],
  ['I would like to opt out', 'stop'],
  ['opt-out', 'stop'],
  ['Wrong number', 'stop'],
  ['Leave me alone', 'stop'],
  ['Yes, remove me please', 'stop'],
  ['START', 'start'],
  ['Yes', 'start'],
  ['I don’t have the code. Text me again?', null],
  ['Where does the bus stop? Text me the address', null],
  ['I did not get your text', null],
  ['Can I remove my lock today?', null],
  ['The gate does not open', null],
  ['unstop', 'start'],
  ['stopped by the gate, code fails', null],
  ['When do you open?', null],
  ['', null],
])('a reply of %j asks to %s', (text, wanted) => {
  expect(readReply(text)).toBe(wanted)
})
