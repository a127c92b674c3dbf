export type Json = string
/** Authenticated ciphertext made by `platform/sealing/sealer.ts`. */
export type Sealed = string
