import { describe, expect, it } from 'vitest'
import { loggedSecurity, maskedEmail } from './security-log.ts'

describe('The security log', () => {
  it('writes one line for an event, with the client’s IP address and no e-mail address', () => {
    const lines: unknown[] = []
    const level = (name: string) => (fields: Record<string, unknown>) => void lines.push({ level: name, ...fields })
    const log = loggedSecurity({ info: level('info'), warn: level('warn') }, () => '203.0.113.9')
    log.record('sign_in.succeeded', { account: 'a-1', how: 'password' })
    log.record('sign_in.refused', { email: 'dana.reyes@mail.example', why: 'no_account' })
    expect(lines).toEqual([
      { level: 'info', event: 'sign_in.succeeded', address: '203.0.113.9', account: 'a-1', how: 'password' },
      {
        level: 'warn',
        event: 'sign_in.refused',
        address: '203.0.113.9',
        email: 'd***@m***.example',
        why: 'no_account',
      },
    ])
  })

  it.each([
    ['dana@mail.example', 'd***@m***.example'],
    ['dana@a.b.example.com', 'd***@a***.com'],
    ['4111 1111 1111 1111', '4***@***'],
    ['', '***@***'],
    ['a@b@c.example', 'a***@b***'],
    ['a@b.c\r\nlevel: error', 'a***@b***'],
  ])('masks %j', (email, masked) => expect(maskedEmail(email)).toBe(masked))
})
