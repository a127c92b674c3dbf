/**
 * A store of files: signed leases, brochures, uploads. Keys are lower-case path segments that we choose, never an
 * uploader's file name.
 */
export interface Files {
  /** Stores a file, durably once resolved. An existing file's content is replaced atomically. */
  put(key: string, content: Uint8Array, contentType: string): Promise<void>
  /** Reads a file; null if there is none. */
  get(key: string): Promise<{ content: Uint8Array<ArrayBuffer>; contentType: string } | null>
  delete(key: string): Promise<void>
}
