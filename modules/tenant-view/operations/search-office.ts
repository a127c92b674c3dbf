import * as v from 'valibot'
import { searchTooLong, searchTooShort } from '../../../domain/texts/office-refusals.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine, unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { searchTenants } from '../views/search-tenants.ts'

/** Minimum length of the text of an office search, in characters. */
const MIN_LENGTH = 2
/** Maximum length of the text of an office search, in characters. */
const MAX_LENGTH = 100

export const SearchOffice = internalOperation({
  name: 'SearchOffice',
  access: { staff: mayAnywhere('file.read') },
  writes: false,
  input: v.object({
    q: v.pipe(
      unmodifiedText,
      v.maxLength(1000, searchTooLong),
      v.trim(),
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no searched field contains control characters
      v.transform((text) => text.replace(/[\u0000-\u001f\u007f]+/g, ' ')),
      v.check((text) => [...text].length >= MIN_LENGTH, searchTooShort),
      v.check((text) => [...text].length <= MAX_LENGTH, searchTooLong),
    ),
    /** Location codes to search; all facilities of the staff member when empty. */
    facilities: v.optional(v.pipe(v.array(plainLine), v.maxLength(200)), []),
  }),
  example: { input: { q: '(404) 555-0114', facilities: [] } },
  async run(services, { q, facilities }, callers) {
    const caller = staffOf(callers)
    const permitted = facilitiesFor(caller, 'file.read')
    const codes =
      facilities.length === 0 ? permitted : facilities.filter((code) => permitted === 'all' || permitted.has(code))
    return succeed(await searchTenants(services, q, codes === 'all' ? 'all' : [...codes], caller))
  },
})
