import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesContract } from './files.contract.ts'
import { folderFiles } from './folder.ts'

const temporary = () => mkdtemp(join(tmpdir(), 'files-'))

filesContract('folder', async () => {
  const folder = await temporary()
  return { files: folderFiles(join(folder, 'made', 'when', 'needed')), close: () => rm(folder, { recursive: true }) }
})

test('stores a file under its key, and beside it only its type', async () => {
  const folder = await temporary()
  await folderFiles(folder).put('leases/7.pdf', Buffer.from('%PDF'), 'application/pdf')
  expect((await readdir(join(folder, 'leases'))).sort()).toEqual(['7.pdf', '7.pdf.content-type'])
  expect(await readFile(join(folder, 'leases/7.pdf'), 'utf8')).toBe('%PDF')
  await folderFiles(folder).delete('leases/7.pdf')
  expect(await readdir(join(folder, 'leases'))).toEqual([])
  await rm(folder, { recursive: true })
})

test('a failed write leaves other files, and no temporary one', async () => {
  const folder = await temporary()
  const files = folderFiles(folder)
  await files.put('kept', Buffer.from('old'), 'text/plain')
  await expect(files.put('kept/below', Buffer.from('x'), 'text/plain')).rejects.toThrow()
  expect((await files.get('kept'))!.content.toString()).toBe('old')
  expect((await readdir(folder)).sort()).toEqual(['kept', 'kept.content-type'])
  await rm(folder, { recursive: true })
})

test('a type left by an interrupted write is no file', async () => {
  const folder = await temporary()
  await writeFile(join(folder, 'half.content-type'), 'text/plain')
  expect(await folderFiles(folder).get('half')).toBeNull()
  await rm(folder, { recursive: true })
})

test('the store’s own files cannot be read by key', async () => {
  const files = folderFiles(await temporary())
  await expect(files.get('a.content-type')).rejects.toThrow(RangeError)
  await expect(files.get('a.1-1.unfinished')).rejects.toThrow(RangeError)
})
