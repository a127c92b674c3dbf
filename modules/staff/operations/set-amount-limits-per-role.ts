import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { grantOf, type OfficeRole, officeRoles, roleNames } from '../../../domain/office/roles-and-permissions.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { setSetting } from '../../facilities/operator-settings-and-brand.ts'
import { fieldChangedMeanwhile, nothingChanged } from '../../facilities/texts/setup-and-appointment-errors.ts'
import { LIMITS_SETTING, loadOfficeLimits } from '../check-approval-limits.ts'
import { reason } from '../internal/staff-operation-input.ts'
import { officeOperation } from '../office-operation.ts'
import {
  type AmountLimit,
  DUAL_CONTROL_ABOVE_CENTS,
  type LimitedPermission,
  limitedPermissions,
  type OfficeLimits,
} from '../rules/approval-limits.ts'
import { lockOwners } from '../staff-members.ts'
import { actAboveAll, dayAboveAll, dayBelowAct, limitNames, notLimited } from '../texts/approval-limits.ts'

const MAX_DAY_CENTS: Cents = 100_000_000

const cents = (max: Cents, above: string) =>
  v.pipe(
    v.number('Enter an amount in dollars.'),
    v.integer('Enter an amount in dollars.'),
    v.minValue(0, 'Enter $0.00 or more.'),
    v.maxValue(max, above),
  )

const limit = v.pipe(
  v.object({
    role: v.picklist(officeRoles),
    permission: v.picklist(limitedPermissions),
    act: cents(DUAL_CONTROL_ABOVE_CENTS, actAboveAll),
    day: cents(MAX_DAY_CENTS, dayAboveAll),
    /** Limits that the form displayed. */
    before: v.object({ act: v.number(), day: v.number() }),
  }),
  v.check(({ role, permission }) => grantOf(role, permission) === 'limited', notLimited),
  v.forward(
    v.check(({ act, day }) => day >= act, dayBelowAct),
    ['day'],
  ),
)

const isSameLimit = (a: AmountLimit, b: AmountLimit) => a.act === b.act && a.day === b.day

const limitText = ({ act, day }: AmountLimit) => `${format(act)} an act, ${format(day)} in 24 hours`

const zeroLimit: AmountLimit = { act: 0, day: 0 }

const limitName = (role: OfficeRole, permission: LimitedPermission) => `${limitNames[permission]}, ${roleNames[role]}`

/** Changes the amounts that staff members of a role may move alone. */
export const SetLimits = officeOperation({
  name: 'SetLimits',
  permission: 'staff.manage',
  access: mayAnywhere('staff.manage'),
  freshFactor: true,
  input: v.object({
    limits: v.pipe(v.array(limit), v.minLength(1), v.maxLength(officeRoles.length * limitedPermissions.length)),
    reason,
  }),
  example: {
    limits: [
      {
        role: 'manager',
        permission: 'fee.waive',
        act: 15_000,
        day: 60_000,
        before: { act: 10_000, day: 50_000 },
      },
    ],
    reason: 'Busier season',
  },
  async work({ tx, services, audit }, { limits }) {
    // Serializes writers, so that the second of two forms sees the first one's changes.
    await lockOwners(tx)
    const currentLimits = await loadOfficeLimits(tx)
    const newLimits: OfficeLimits = structuredClone(currentLimits)
    const changes: Record<string, [string, string]> = {}
    const stale: Record<string, string> = {}
    for (const [at, { role, permission, act, day, before }] of limits.entries()) {
      const current = currentLimits[role][permission] ?? zeroLimit
      if (isSameLimit({ act, day }, before) || isSameLimit({ act, day }, current)) continue
      if (!isSameLimit(current, before)) stale[`limits.${at}.act`] = fieldChangedMeanwhile(limitText(current))
      newLimits[role][permission] = { act, day }
      changes[limitName(role, permission)] = [limitText(current), limitText({ act, day })]
    }
    if (Object.keys(stale).length > 0)
      throw refusalError(409, 'changed', `${changedSince} ${someFieldsInvalid}`, { fields: stale })
    if (Object.keys(changes).length === 0) throw refusalError(409, 'same', nothingChanged)
    await setSetting(tx, LIMITS_SETTING, JSON.stringify(newLimits), services.clock.now())
    await audit({ kind: 'limits.changed', details: {}, changes })
    return { changed: Object.keys(changes).length }
  },
})
