/** Returns the subject under which a rental's payment attempts are counted, and its last failure is found. */
export const attemptsOfDraft = ({ draftId }: { draftId: string }) => ({
  draft_id: draftId,
  link_uuid: null,
  quote_id: null,
})
