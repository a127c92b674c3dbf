export type Json = string
/** Authenticated ciphertext made by `platform/encryption/sealer.ts`. */
export type Sealed = string
