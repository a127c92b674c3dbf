/** Draft, link or checkout whose payment attempts are counted together: the first of these whose id is set. */
export interface AttemptSubject {
  draft_id: string | null
  quote_id: string | null
  link_uuid: string | null
}

/** Returns the subject under which a rental's payment attempts are counted. */
export const attemptsOfDraft = ({ draftId }: { draftId: string }): AttemptSubject => ({
  draft_id: draftId,
  quote_id: null,
  link_uuid: null,
})

/** Returns the subject under which a checkout's payment attempts are counted. */
export const attemptsOfCheckout = ({ checkoutId }: { checkoutId: string }): AttemptSubject => ({
  draft_id: null,
  quote_id: checkoutId,
  link_uuid: null,
})

/** Returns the subject under which the payment attempts of an auction or settlement link are counted. */
export const attemptsOfLink = ({ uuid }: { uuid: string }): AttemptSubject => ({
  draft_id: null,
  quote_id: null,
  link_uuid: uuid,
})
