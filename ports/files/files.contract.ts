import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Files } from './files.ts'

export interface FilesBench {
  files: Files
  close(): Promise<void>
}

const bytes = (text: string) => new TextEncoder().encode(text)

/**
 * Tests the contract of file stores.
 * @param replacesWhole whether readers never get half a file; false for the tests' S3 server, which, unlike S3, empties
 *   a file before it rewrites it
 */
export function filesContract(
  name: string,
  openBench: () => Promise<FilesBench>,
  { replacesWhole = true }: { replacesWhole?: boolean } = {},
): void {
  describe(`files contract: ${name}`, () => {
    let bench: FilesBench
    let files: Files
    beforeAll(async () => {
      bench = await openBench()
      files = bench.files
    })
    afterAll(() => bench.close())
    const read = async (key: string) => {
      const file = await files.get(key)
      return file && { text: new TextDecoder().decode(file.content), contentType: file.contentType }
    }

    test('a file comes back byte by byte, with its type', async () => {
      const content = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256)
      await files.put('leases/ga01/10482.pdf', content, 'application/pdf')
      const file = await files.get('leases/ga01/10482.pdf')
      expect(file!.contentType).toBe('application/pdf')
      expect(Buffer.from(file!.content).equals(Buffer.from(content))).toBe(true)
    })

    test('an empty file is a file', async () => {
      await files.put('empty', new Uint8Array(), 'text/plain')
      expect(await read('empty')).toEqual({ text: '', contentType: 'text/plain' })
    })

    test('writing again replaces the whole file and its type', async () => {
      await files.put('uploads/a', bytes('a much longer first version'), 'text/plain')
      await files.put('uploads/a', bytes('second'), 'image/png')
      expect(await read('uploads/a')).toEqual({ text: 'second', contentType: 'image/png' })
    })

    test('a file that is not there is null, and may be deleted', async () => {
      expect(await files.get('never/was')).toBeNull()
      await files.delete('never/was')
    })

    test('deletes a file and no other file', async () => {
      await files.put('pair/one', bytes('1'), 'text/plain')
      await files.put('pair/two', bytes('2'), 'text/plain')
      await files.delete('pair/one')
      expect(await files.get('pair/one')).toBeNull()
      expect(await read('pair/two')).toMatchObject({ text: '2' })
    })

    test.runIf(replacesWhole)(
      'twenty writers of one key leave one version whole, and readers see no half',
      async () => {
        const version = (n: number) => bytes(String.fromCharCode(97 + n).repeat(20_000))
        await files.put('raced', version(0), 'text/plain')
        const writes = Array.from({ length: 20 }, (_, n) => files.put('raced', version(n), 'text/plain'))
        for (let i = 0; i < 20; i++) expect((await read('raced'))!.text).toMatch(/^([a-t])\1{19999}$/)
        await Promise.all(writes)
        expect((await read('raced'))!.text).toMatch(/^([a-t])\1{19999}$/)
      },
    )

    test.each([
      '../secret',
      'a/../../secret',
      '/etc/passwd',
      'a//b',
      'a/',
      '',
      '.hidden',
      'a/.hidden',
      '..',
      'Upper',
      'a\\b',
      'a\u0000b',
      'é',
      'c:/x',
      'a b',
      `${'x'.repeat(201)}`,
    ])('the key %j is refused', async (key) => {
      await expect(files.put(key, bytes('x'), 'text/plain')).rejects.toThrow(RangeError)
      await expect(files.get(key)).rejects.toThrow(RangeError)
      await expect(files.delete(key)).rejects.toThrow(RangeError)
    })
  })
}
