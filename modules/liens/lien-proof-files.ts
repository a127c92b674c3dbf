/** Proof files of lien steps, each encrypted with its own key. The step stores that key sealed. */
import { HOUR } from '../../domain/durations.ts'
import { readUpload, type UploadType } from '../../domain/upload-size-and-file-types.ts'
import { Sealer } from '../../platform/encryption/sealer.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Job } from '../../platform/jobs/job-runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LienStepRow } from './load-lien-cases.ts'

/** Returns the encryption context of a lien step's proof file and of the file's key. */
export const proofContext = (stepId: string) => `lien-file:${stepId}`

const sealerOf = (secret: string) => new Sealer({ keys: [{ id: 'file', key: Buffer.from(secret, 'hex') }] })

/** Columns of a lien step that refer to its proof file, all empty if the step has none. */
export interface ProofColumns {
  file_key: string | null
  file_name: string
  file_type: string
  file_secret_sealed: string | null
}

export const noProof: ProofColumns = { file_key: null, file_name: '', file_type: '', file_secret_sealed: null }

const proofTypes: readonly UploadType['extension'][] = ['jpg', 'png', 'pdf']

/** Returns a file's type by its content; null unless it is a JPEG, PNG or PDF of an allowed size. */
export function proofTypeOf(bytes: Uint8Array): UploadType | null {
  const read = readUpload(bytes)
  return read.ok && proofTypes.includes(read.type.extension) ? read.type : null
}

/** Delay in milliseconds after which an unattached proof is deleted; longer than any request runs. */
const ATTACHED_WITHIN_MS = HOUR

interface Proof {
  stepId: string
  locationCode: string
  name: string
  bytes: Uint8Array
  type: UploadType
}

const fileKeyOf = ({ stepId, locationCode }: Proof) => `liens/${locationCode.toLowerCase()}/${stepId}.sealed`

/**
 * Stores the proof file of a lien step before the step itself is written. If the step is never written, a job deletes
 * the file later (`deleteUnattachedProof`).
 */
export async function storeProof(
  services: Pick<Services, 'db' | 'clock' | 'files' | 'sealer' | 'random'>,
  proof: Proof,
): Promise<ProofColumns> {
  const now = services.clock.now()
  const payload = { stepId: proof.stepId, fileKey: fileKeyOf(proof) }
  const job = { kind: 'lien_proof_kept', once: proof.stepId, payload, now } as const
  await services.db.transaction((tx) => enqueue(tx, { ...job, runAt: now + ATTACHED_WITHIN_MS }))
  return sealProof(services, proof)
}

/** Encrypts the proof file of a lien step with a new key and stores the file. */
export async function sealProof(
  services: {
    files: Pick<Services['files'], 'put'>
    sealer: Pick<Services['sealer'], 'seal'>
    random: Services['random']
  },
  proof: Proof,
): Promise<ProofColumns> {
  const { stepId, name, bytes, type } = proof
  const secret = services.random.hex(32)
  const file_key = fileKeyOf(proof)
  const sealed = sealerOf(secret).seal(Buffer.from(bytes).toString('base64'), proofContext(stepId))
  await services.files.put(file_key, new TextEncoder().encode(sealed), 'application/octet-stream')
  return {
    file_key,
    file_name: `${name}.${type.extension}`,
    file_type: type.contentType,
    file_secret_sealed: services.sealer.seal(secret, proofContext(stepId)),
  }
}

/** Deletes the proof file of a lien step unless the step was written. Safe to run twice. */
export const deleteUnattachedProof =
  (services: Pick<Services, 'db' | 'files'>) =>
  async ({ payload: { stepId, fileKey } }: Job<'lien_proof_kept'>): Promise<void> => {
    const step = await services.db.write
      .selectFrom('lien_steps')
      .select('step_id')
      .where('step_id', '=', stepId)
      .executeTakeFirst()
    if (!step) await services.files.delete(fileKey)
  }

type StoredProof = Pick<LienStepRow, 'step_id' | 'file_secret_sealed'>

/** Decrypts the stored proof file of a lien step. */
export function openProof(
  services: Pick<Services, 'sealer'>,
  step: StoredProof,
  encrypted: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const secret = services.sealer.open(step.file_secret_sealed ?? '', proofContext(step.step_id))
  const content = sealerOf(secret).open(new TextDecoder().decode(encrypted), proofContext(step.step_id))
  return new Uint8Array(Buffer.from(content, 'base64'))
}

/** Reads the proof uploaded for a step of a lien case; null when the step has no proof or its file is missing. */
export async function readProof(
  services: Pick<Services, 'files' | 'sealer'>,
  step: LienStepRow,
): Promise<{ name: string; content: Uint8Array<ArrayBuffer> } | null> {
  const file = step.file_key === null ? null : await services.files.get(step.file_key)
  return file && { name: step.file_name, content: openProof(services, step, file.content) }
}
