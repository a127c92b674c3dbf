import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderFiles } from '../files/folder.ts'
import { fixedClock } from '../testing-clock-and-random.ts'
import { type CapturedMessage, capturedMail } from './captured.ts'
import { type MailBench, mailContract, message } from './mail.contract.ts'

async function open(): Promise<MailBench & { rows: CapturedMessage[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'captured-mail-'))
  const files = folderFiles(folder)
  const rows: CapturedMessage[] = []
  const mailbox = {
    async keep(row: CapturedMessage) {
      if (!rows.some((stored) => stored.message_id === row.message_id)) rows.push(row)
    },
  }
  return {
    rows,
    mail: capturedMail({ mailbox, files, clock: fixedClock(1_700_000_000_000) }),
    received: () =>
      Promise.all(
        rows.map(async (row) => ({
          messageId: row.message_id,
          to: [row.recipient],
          subject: row.subject,
          text: row.text,
          html: row.html,
          attachments: await Promise.all(
            JSON.parse(row.attachments).map(
              async (a: { filename: string; file_key: string; content_type: string }) => ({
                filename: a.filename,
                contentType: a.content_type,
                content: (await files.get(a.file_key))!.content,
              }),
            ),
          ),
        })),
      ),
    close: () => rm(folder, { recursive: true }),
  }
}

mailContract('captured', open)

test('stores a message that is sent twice once, with the clock’s time', async () => {
  const bench = await open()
  await bench.mail.send(message())
  await bench.mail.send(message())
  expect(bench.rows).toHaveLength(1)
  expect(bench.rows[0]).toMatchObject({ channel: 'mail', created_at: 1_700_000_000_000 })
  await bench.close()
})
