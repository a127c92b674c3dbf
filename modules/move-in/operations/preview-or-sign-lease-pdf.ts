import * as v from 'valibot'
import { changedElsewhere } from '../../../domain/texts/general-errors.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { locationCode, optionalText, unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { refuseDifferingFields } from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { readSignature, signatureFaultMessages } from '../../agreements/signature/validate-drawn-or-typed-signature.ts'
import { refuseMissingSession } from '../../payments/refuse-missing-session-or-denied-payer.ts'
import { loadDraftOfCaller, saveAnswers } from '../../reservations/draft.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { leaseComparisons, leaseFields } from '../internal/check-lease-pdf-request-against-draft.ts'
import { kioskAnswerFields, kioskAnswers } from '../internal/parse-kiosk-answers.ts'
import { birthDateFaults, policyFaults } from '../rules/birth-date-and-policy-errors.ts'
import { type LeasePreview, previewLease, signLease } from '../sign-lease.ts'
import { signatureNameDiffers, signerNameDiffers } from '../texts/move-in.ts'

/** Drawn signature in base64, with or without a data URL's prefix. */
const image = v.pipe(unmodifiedText, v.maxLength(400_000, 'must have at most 400000 characters'))

export const LeasePdf = operation({
  name: 'lease-pdf',
  summary:
    'The lease of this session’s rental: format=url answers the address of the preview; format=file with a signature signs it and answers the PDF. A kiosk gives the renter’s choices with it; a yes/no question left out counts as no, but autopay is on without autopay_bit, and insurance left out is the plan in the price. Everything else in it comes from the record; what is said of it is compared, and a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    format: v.picklist(['file', 'url'], 'must be file or url'),
    tenant_signature: v.optional(image, ''),
    tenant_signature_name: optionalText(100),
    tenant_name: optionalText(120),
    /** Any text, such as the time of acceptance, signs the lease with format=file; '' does not. It is not stored. */
    accepted_timestamp: optionalText(60),
    ...leaseFields,
    ...kioskAnswerFields,
  }),
  output: v.union([v.object({ url: v.string() }), v.instance(Uint8Array)]),
  limit: { points: 240, perSeconds: 3600 },
  writes: true,
  example: { input: { location_code: 'ATL01', format: 'url' }, output: { url: '/lease-document/preview' } },
  async run(services, input, callers) {
    const session = await loadDraftOfCaller(services, callers.rental)
    if (!session) return refuseMissingSession()
    const current = await previewLease(services, session, callers.tenant)
    const kiosk = readKioskAnswers(input, session, current)
    if (!kiosk.ok) {
      return refuse(400, 'invalid_input', someFieldsInvalid, { fields: kiosk.fields })
    }
    const hasAnswers = Object.keys(kiosk.answers).length > 0
    const withAnswers = { ...session, answers: { ...session.answers, ...kiosk.answers } }
    const proposed = hasAnswers ? await previewLease(services, withAnswers, callers.tenant, current) : current
    const comparisons = await leaseComparisons(services, proposed, session, callers.tenant, input)
    const refusal = refuseDifferingFields(input, comparisons)
    if (refusal) return refusal
    let draft = session
    if (hasAnswers) {
      const saved = await saveAnswers(services, session, kiosk.answers, { loadedFacts: current.facts })
      if (!saved.ok) return refuse(409, 'changed_elsewhere', changedElsewhere)
      draft = saved.draft
    }
    if (input.format === 'url') return succeed({ url: '/lease-document/preview' })
    if (input.accepted_timestamp === '') {
      const preview = await previewLease(services, draft, callers.tenant, current)
      return succeed(await preview.pdf())
    }
    return signAndRespond(services, draft, input, callers, current)
  },
})

/**
 * Reads a kiosk's answers from its request and checks them against the facility's offers and today's date.
 * @returns the answers, or error messages by field
 */
function readKioskAnswers(input: Parameters<typeof kioskAnswers>[0], session: Draft, { facts, quote }: LeasePreview) {
  const read = kioskAnswers(input, session.answers, facts.place, quote.scheme?.scheme_id ?? null)
  if (!read.ok) return read
  const { insurance, ownInsurance, customerInfo } = read.answers
  const { today } = facts.facility
  const fields: Record<string, string> = {
    ...(ownInsurance && policyFaults(ownInsurance, today)),
    ...(customerInfo && birthDateFaults(customerInfo, today)),
  }
  if (insurance?.status === 1 && !facts.facility.schemes.some((scheme) => scheme.scheme_id === insurance.schemeId))
    fields.insurance_id = 'is not offered at this location'
  return Object.keys(fields).length > 0 ? { ok: false as const, fields } : read
}

interface SignatureInput {
  tenant_signature: string
  tenant_signature_name: string
  tenant_name: string
}

async function signAndRespond(
  services: Services,
  draft: Draft,
  input: SignatureInput,
  callers: Callers,
  current: LeasePreview,
) {
  const { tenant_signature: image, tenant_signature_name: name } = input
  const submitted = readSignature(
    image === ''
      ? { method: 'typed', name }
      : { method: 'drawn', image: image.startsWith('data:') ? image : `data:image/png;base64,${image}` },
  )
  if (!submitted.ok) {
    const fields = {
      [image === '' ? 'tenant_signature_name' : 'tenant_signature']: signatureFaultMessages[submitted.fault],
    }
    return refuse(400, 'invalid_input', 'The signature cannot be taken.', { fields })
  }
  const signing = { claimed: input.tenant_name || name, address: callers.address, agent: callers.agent }
  const result = await signLease(services, draft, submitted.signature, signing, callers.tenant, current)
  if (result.ok) return succeed(await result.copy())
  if (result.why === 'another_signature')
    return refuse(409, 'another_name', signatureNameDiffers, {
      fields: { tenant_signature_name: signatureNameDiffers },
    })
  return result.why === 'another_name'
    ? refuse(409, 'another_name', signerNameDiffers, { fields: { tenant_name: signerNameDiffers } })
    : refuse(409, 'changed_elsewhere', changedElsewhere)
}
