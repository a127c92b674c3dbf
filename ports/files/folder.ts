import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../errors/error-code-and-message.ts'
import { checkedFileKey } from './check-file-key.ts'
import type { Files } from './files.ts'

const TYPE_SUFFIX = '.content-type'
const UNFINISHED_SUFFIX = '.unfinished'

/**
 * Stores files in a local folder. Writes are flushed and renamed, so that a power cut leaves the old or the new file.
 */
export function folderFiles(folder: string): Files {
  const root = resolve(folder)
  let writes = 0

  function pathOf(key: string): string {
    const isContentKey = !key.endsWith(TYPE_SUFFIX) && !key.endsWith(UNFINISHED_SUFFIX)
    if (!isContentKey) throw new RangeError(`Not a file key: ${JSON.stringify(key)}`)
    return join(root, checkedFileKey(key))
  }

  async function writeWhole(path: string, content: Uint8Array): Promise<void> {
    writes += 1
    const temporaryPath = `${path}.${process.pid}-${writes}${UNFINISHED_SUFFIX}`
    try {
      const file = await open(temporaryPath, 'wx', 0o600)
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporaryPath, path)
    } catch (error) {
      await rm(temporaryPath, { force: true })
      throw error
    }
  }

  return {
    async put(key, content, contentType) {
      const path = pathOf(key)
      const firstCreated = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // The type is written first, so that a readable file always has one.
      if ((await readOrNull(path + TYPE_SUFFIX))?.toString() !== contentType)
        await writeWhole(path + TYPE_SUFFIX, Buffer.from(contentType))
      await writeWhole(path, content)
      await syncFolders(dirname(path), firstCreated ? dirname(firstCreated) : dirname(path))
    },
    async get(key) {
      const path = pathOf(key)
      const content = await readOrNull(path)
      const type = content && (await readOrNull(path + TYPE_SUFFIX))
      return content && type ? { content, contentType: type.toString() } : null
    },
    async delete(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rm(path + TYPE_SUFFIX, { force: true })
      await syncFolders(dirname(path), dirname(path))
    },
  }
}

async function readOrNull(path: string): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'EISDIR') return null
    throw error
  }
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(errorCode(error))

/** Syncs `folder` and each of its parents up to `last` included, so that new names survive a power cut. */
async function syncFolders(folder: string, last: string): Promise<void> {
  // Node.js cannot open a folder on Windows, so it is not synced there.
  if (process.platform === 'win32') return
  for (let current = folder; ; current = dirname(current)) {
    try {
      const handle = await open(current, 'r')
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    if (current === last || current === dirname(current)) return
  }
}
