import { beforeAll, describe, expect, test } from 'vitest'
import type { Sms } from './sms.ts'

export interface SmsBench {
  sms: Sms
  received(): Promise<{ messageId: string; to: string; text: string }[]>
}

/**
 * Tests the contract of SMS adapters. The provider refuses numbers ending in 0404 permanently and in 0503 temporarily.
 */
export function smsContract(name: string, open: () => Promise<SmsBench>): void {
  describe(`SMS contract: ${name}`, () => {
    let bench: SmsBench
    beforeAll(async () => {
      bench = await open()
    })

    test('a text arrives whole, in any script', async () => {
      const text = 'Your gate code is 4821 🗝️\nBis später, Zoë'
      await bench.sms.send({ messageId: 'gate.1', to: '4045550134', text })
      expect(await bench.received()).toEqual([{ messageId: 'gate.1', to: '4045550134', text }])
    })

    test('a text sent twice arrives once', async () => {
      await bench.sms.send({ messageId: 'gate.2', to: '4045550134', text: 'once' })
      await bench.sms.send({ messageId: 'gate.2', to: '4045550134', text: 'once' })
      expect((await bench.received()).filter((message) => message.messageId === 'gate.2')).toHaveLength(1)
    })

    test.each([
      ['404-555-0134', true],
      ['404555013', true],
      ['4045550134,4045550135', true],
      ['4045550404', true],
      ['4045550503', false],
    ])('the number %s fails, permanently: %s', async (to, permanent) => {
      const before = (await bench.received()).length
      const failure = bench.sms.send({ messageId: 'gate.3', to, text: 'x' })
      await expect(failure).rejects.toMatchObject({ name: 'SmsNotDelivered', permanent })
      expect(await bench.received()).toHaveLength(before)
    })
  })
}
