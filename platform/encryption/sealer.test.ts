import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../tests/support/databases.ts'
import { developmentKeys } from './encryption-key-file.ts'
import { DecryptionFailed, Sealer } from './sealer.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })

describe('Sealed text', () => {
  const sealer = new Sealer({ keys: [key('k1')] })
  const text = '{"drivers_license":"012345678","birth_date":"1990-02-28"} – Ünïcode'

  it('is decrypted in its context, and reveals nothing of its content', () => {
    const sealed = sealer.seal(text, 'tenant:L001:1:identity')
    expect(sealer.open(sealed, 'tenant:L001:1:identity')).toBe(text)
    expect(sealed).not.toContain('012345678')
    expect(sealer.seal(text, 'tenant:L001:1:identity')).not.toBe(sealed)
    expect(sealer.open(sealer.seal('', 'x'), 'x')).toBe('')
  })

  it('is not decrypted in another context, changed in any byte, cut short or with another key', () => {
    const sealed = sealer.seal(text, 'tenant:L001:1:identity')
    expect(() => sealer.open(sealed, 'tenant:L001:2:identity')).toThrow(DecryptionFailed)
    const [version, id, content] = sealed.split('.') as [string, string, string]
    const bytes = Buffer.from(content, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      const forged = `${version}.${id}.${changed.toString('base64url')}`
      expect(() => sealer.open(forged, 'tenant:L001:1:identity')).toThrow(DecryptionFailed)
    }
    const short = `${version}.${id}.${bytes.subarray(0, 20).toString('base64url')}`
    for (const forged of [short, '', 'plain text', `${sealed}.x`, `s2.${id}.${content}`]) {
      expect(() => sealer.open(forged, 'tenant:L001:1:identity')).toThrow(DecryptionFailed)
    }
    const stranger = new Sealer({ keys: [key('k1')] })
    expect(() => stranger.open(sealed, 'tenant:L001:1:identity')).toThrow(DecryptionFailed)
  })

  it('is decrypted after a key rotation', () => {
    const old = key('k1')
    const fresh = key('k2')
    const before = new Sealer({ keys: [old] })
    const between = new Sealer({ keys: [fresh, old] })
    const after = new Sealer({ keys: [fresh] })
    const sealed = before.seal('text', 'x')
    expect(between.open(sealed, 'x')).toBe('text')
    const reencrypted = between.seal('text', 'x')
    expect(after.open(reencrypted, 'x')).toBe('text')
    expect(() => after.open(sealed, 'x')).toThrow('"k1"')
  })

  it('refuses invalid keys', () => {
    expect(() => new Sealer({ keys: [] })).toThrow()
    expect(() => new Sealer({ keys: [{ id: 'a', key: randomBytes(16) }] })).toThrow('32 bytes')
    expect(() => new Sealer({ keys: [key('a'), key('a')] })).toThrow('same id')
    expect(() => new Sealer({ keys: [key('a.b')] })).toThrow('letters')
  })
})

describe('Keys', () => {
  it('are generated at the first start, readable by their owner only, and stay', () => {
    const folder = temporaryFolder()
    const first = developmentKeys(folder)
    const file = join(folder, 'keys.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    chmodSync(file, 0o644)
    expect(developmentKeys(folder)).toEqual(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(developmentKeys(temporaryFolder())).not.toEqual(first)
    expect(first.cookie[0]?.length).toBeGreaterThanOrEqual(32)
    new Sealer({ keys: first.sealing })
  })

  it('are never generated over an unreadable file', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'keys.json'), '{"sealing": [')
    expect(() => developmentKeys(folder)).toThrow('keys.json')
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe('{"sealing": [')
  })
})
