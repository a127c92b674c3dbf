import { expect, test } from 'vitest'
import type { CapturedMessage } from '../mail/captured.ts'
import { fixedClock } from '../testing-clock-and-random.ts'
import { capturedSms } from './captured.ts'
import { smsContract } from './sms.contract.ts'

function open() {
  const rows = new Map<string, CapturedMessage>()
  const mailbox = {
    async keep(row: CapturedMessage) {
      if (!rows.has(row.message_id)) rows.set(row.message_id, row)
    },
  }
  return { rows, sms: capturedSms({ mailbox, clock: fixedClock(1_700_000_000_000) }) }
}

smsContract('captured', async () => {
  const { rows, sms } = open()
  const received = async () =>
    [...rows.values()].map((row) => ({ messageId: row.message_id, to: row.recipient, text: row.text }))
  return { sms, received }
})

test('stores a captured text message in the mailbox', async () => {
  const { rows, sms } = open()
  await sms.send({ messageId: 'gate.9', to: '4045550134', text: 'Your gate code is 4821' })
  expect(rows.get('gate.9')).toEqual({
    message_id: 'gate.9',
    channel: 'sms',
    recipient: '4045550134',
    subject: '',
    text: 'Your gate code is 4821',
    html: '',
    attachments: '[]',
    created_at: 1_700_000_000_000,
  })
})
