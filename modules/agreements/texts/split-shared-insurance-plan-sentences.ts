/** Splits a text into sentences; the dot in an amount such as '$1,000.50' does not end one. */
const splitSentences = (text: string) => text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((part) => part.trim() !== '')

/**
 * Splits insurance plans' terms into sentences.
 * @returns `shared`: sentences that all plans have, empty for a single plan; `own`: the other sentences, one array for each plan
 */
export function splitPlanTerms(plans: readonly { terminology: string }[]): { shared: string[]; own: string[][] } {
  const sentencesByPlan = plans.map(({ terminology }) => splitSentences(terminology))
  const [first = []] = sentencesByPlan
  const shared =
    sentencesByPlan.length > 1
      ? first.filter((sentence) => sentencesByPlan.every((sentences) => sentences.includes(sentence)))
      : []
  return {
    shared,
    own: sentencesByPlan.map((sentences) => sentences.filter((sentence) => !shared.includes(sentence))),
  }
}
