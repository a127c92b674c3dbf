import * as v from 'valibot'
import { machineKeysOnly } from '../../../platform/operations/callers.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { handleGateContact } from '../answer-gate-list-pull.ts'
import { gateAnswer, gateAnswerExample, gateAnswerSchema } from '../gate-list-message.ts'
import { flatFile } from '../internal/gate-list-flat-file.ts'
import { gateNotFound } from '../internal/no-connected-gate-refusal.ts'
import { gateFormats } from '../rules/json-or-flat-gate-list.ts'

export const getGateState = operation({
  name: 'GET /api/gate/{facility}/state',
  summary:
    'What the gate of a facility opens. `If-None-Match` names the list in force at the keypad, which acknowledges it. A lower version of the same epoch is ignored, another epoch replaces everything, a code that is not listed does not open. `format=flat` answers a text of 236 columns a unit, as StorMan writes it, for bridges of older controllers: time zone 01 is for gate hours, 02 for any hour; status 0 vacant, 1 rented, 2 refused.',
  access: machineKeysOnly,
  conditional: true,
  textType: 'text/plain',
  input: v.object({
    facility: locationCode(),
    format: v.optional(v.picklist(gateFormats, 'must be json or flat'), 'json'),
    if_none_match: optionalText(80),
  }),
  output: v.union([gateAnswerSchema, v.string()]),
  writes: false,
  example: { input: { facility: 'ATL01', if_none_match: '"e3-41"' }, output: gateAnswerExample },
  async run(services, input, { machine }) {
    const { facility, if_none_match: acknowledged, format } = input
    const contact = await handleGateContact(services, facility, acknowledged, machine?.keyId ?? '', format)
    if (!contact) return gateNotFound
    const { etag, news } = contact
    const version = { etag, isCurrent: news === null }
    if (news === null) return { ok: true, value: '', version }
    const value =
      format === 'flat'
        ? await flatFile(services, facility, news.list, machine?.pii === true)
        : gateAnswer(facility, news, services.clock.now())
    return { ok: true, value, version }
  },
})
