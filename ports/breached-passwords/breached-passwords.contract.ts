import { beforeAll, describe, expect, test } from 'vitest'
import type { BreachedPasswords } from './breached-passwords.ts'

/** What every adapter must do. Its far end knows 'open sesame 1' from a breach, and pads its answers. */
export function breachedPasswordsContract(name: string, open: () => Promise<BreachedPasswords>): void {
  describe(`Breached passwords contract: ${name}`, () => {
    let passwords: BreachedPasswords
    beforeAll(async () => {
      passwords = await open()
    })

    test('a password from a breach is known', async () => {
      expect(await passwords.isKnown('open sesame 1')).toBe(true)
    })

    test.each(['Open sesame 1', 'open sesame 1 ', 'open sesame', '', 'ünïcødé 🗝️', 'x'.repeat(10_000)])(
      'another is not: %s',
      async (password) => {
        expect(await passwords.isKnown(password)).toBe(false)
      },
    )
  })
}
