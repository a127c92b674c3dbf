import type { Files } from '../../ports/files/files.ts'

/** File store in memory, which returns every file as a PDF. Deleting fails while `broken` is set. */
export function memoryFiles(): Files & { kept: Map<string, Uint8Array<ArrayBuffer>>; broken: boolean } {
  const store = {
    kept: new Map<string, Uint8Array<ArrayBuffer>>(),
    broken: false,
    async put(key: string, content: Uint8Array) {
      store.kept.set(key, new Uint8Array(content))
    },
    async get(key: string) {
      const content = store.kept.get(key)
      return content ? { content, contentType: 'application/pdf' } : null
    },
    async delete(key: string) {
      if (store.broken) throw new Error('The store does not answer')
      store.kept.delete(key)
    },
  }
  return store
}
