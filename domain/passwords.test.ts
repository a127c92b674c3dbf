import { expect, test } from 'vitest'
import { weakPassword } from './passwords.ts'

test.each([
  ...[
    'password',
    'Password1!',
    'P@ssw0rd',
    'p4ssword123',
    'welcome2026',
    '!!dragon99',
    'qwertyuiop',
    '12345678',
    '87654321',
  ],
  ...['aaaaaaaa', 'abababab', 'qwertyui', '11111111', 'iloveyou', 'Football2024', 'abcdefgh'],
])('%s is tried first and refused', (password) => {
  expect(weakPassword(password, [])).toMatch(/tried first/)
})

test.each([
  ...[
    'rolling-door-47',
    'correct horse battery',
    'Tz8#kq2Lm',
    'my dog eats apples',
    'ünïcødé påss',
    'storage unit by the river',
  ],
])('%s is taken', (password) => {
  expect(weakPassword(password, ['maya@okafor.example'])).toBeNull()
})

test('nobody’s own name is their password', () => {
  for (const password of ['maya@okafor.example', 'MAYA@okafor.example', 'maya'])
    expect(weakPassword(password, ['maya@okafor.example'])).toMatch(/e-mail/)
})
