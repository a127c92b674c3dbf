import type { RequestContext } from '../request/context.ts'

const complaints = {
  outside: 'We rent storage in the United States only. Try a US city or a 5-digit ZIP code.',
  unknown: 'We do not know that place. Check the spelling, or try a 5-digit ZIP code.',
  down: 'We cannot look up places right now.',
}

/** The place that a visitor typed; `complaint` says why it was not found. @param page for the report of a geocoder that is down */
export async function findPlace({ services }: RequestContext, query: string, page: string) {
  try {
    const answer = await services.geocoder.find(query)
    return answer.found ? answer : { ...answer, complaint: complaints[answer.why] }
  } catch (error) {
    services.errors.report(error, { page })
    return { found: null, why: 'down', complaint: complaints.down } as const
  }
}
