/** Kept files: signed leases, brochures, uploads. Keys are ours: lower-case path segments, never a caller's file name. */
export interface Files {
  /** Durable when it resolves; writing the same key again replaces the whole file at once. */
  put(key: string, content: Uint8Array, contentType: string): Promise<void>
  /** null when there is none. */
  get(key: string): Promise<{ content: Uint8Array; contentType: string } | null>
  delete(key: string): Promise<void>
}
