import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { transfersOf } from '../../transfers/transfer.ts'
import { documentsOf, fileLeases } from '../file.ts'
import { noteOpening, openedBy, whose } from '../internal/note-opening.ts'

export const GetLeaseFile = internalOperation({
  name: 'GetLeaseFile',
  access: { staff: may('file.read') },
  writes: false,
  input: v.object({ ...whose, lease_number: integer() }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 } },
  async run(services, { lease_number, ...input }, callers) {
    const opened = await openedBy(services, callers, input)
    const lease = opened?.file.leases.find((one) => one.lease_number === lease_number)
    if (!opened || !lease) return notOnFile
    const { of, file } = opened
    const { read } = services.db
    const [[shown], documents, transfers] = await Promise.all([
      fileLeases(services, { ...file, leases: [lease] }, staffOf(callers)),
      documentsOf(read, { ...of, leases: [lease] }),
      transfersOf(read, lease),
      noteOpening(services, callers, of),
    ])
    return shown
      ? succeed({
          facts: file.facts,
          tenant: file.tenant,
          lease,
          shown,
          documents,
          transfers,
          others: file.leases.length - 1,
        })
      : notOnFile
  },
})
