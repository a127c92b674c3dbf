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

test('a file lies under its key as it is, its type beside it and nothing else', async () => {
  const folder = await temporary()
  await folderFiles(folder).put('leases/7.pdf', Buffer.from('%PDF'), 'application/pdf')
  expect((await readdir(join(folder, 'leases'))).sort()).toEqual(['7.pdf', '7.pdf.content-type'])
  expect(await readFile(join(folder, 'leases/7.pdf'), 'utf8')).toBe('%PDF')
  await folderFiles(folder).delete('leases/7.pdf')
  expect(await readdir(join(folder, 'leases'))).toEqual([])
  await rm(folder, { recursive: true })
})

test('a failed write leaves the old file and no rubbish', async () => {
  const folder = await temporary()
  const files = folderFiles(folder)
  await files.put('kept', Buffer.from('old'), 'text/plain')
  await expect(files.put('kept/below', Buffer.from('x'), 'text/plain')).rejects.toThrow()
  expect((await files.get('kept'))!.content.toString()).toBe('old')
  expect((await readdir(folder)).sort()).toEqual(['kept', 'kept.content-type'])
  await rm(folder, { recursive: true })
})

test('a type left by a write that was cut short is no file', async () => {
  const folder = await temporary()
  await writeFile(join(folder, 'half.content-type'), 'text/plain')
  expect(await folderFiles(folder).get('half')).toBeNull()
  await rm(folder, { recursive: true })
})

test('files of the store’s own are no keys', async () => {
  const files = folderFiles(await temporary())
  await expect(files.get('a.content-type')).rejects.toThrow(RangeError)
  await expect(files.get('a.1-1.unfinished')).rejects.toThrow(RangeError)
})
