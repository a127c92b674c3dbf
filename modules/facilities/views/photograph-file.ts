import type { Services } from '../../../platform/operations/services.ts'
import { type PhotographKind, type PhotoWidth, photographFileKey } from '../rules/photograph.ts'

/** Reads a photograph's file in one width; null where it does not exist. */
export const loadPhotographFile = async (
  { files }: Pick<Services, 'files'>,
  key: { kind: PhotographKind; locationCode: string; photoId: string; width: PhotoWidth },
): Promise<Uint8Array<ArrayBuffer> | null> =>
  /^[0-9a-f]{32}$/.test(key.photoId) && /^[\w-]{1,40}$/.test(key.locationCode)
    ? ((await files.get(photographFileKey(key.kind, key.locationCode, key.photoId, key.width)))?.content ?? null)
    : null
