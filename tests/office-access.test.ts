/**
 * Every operation of the office against every role. The table says it once more, apart from the declarations, so that a
 * permission cannot be widened by mistake; an operation that is not in it fails.
 */

import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { officeOperations } from '../api/catalogue.ts'
import { type OfficeRole, officeRoles } from '../domain/office/roles.ts'
import type { Callers, StaffCaller } from '../platform/operations/callers.ts'
import { perform, refusedAccess } from '../platform/operations/operation.ts'
import { openerForTests } from './support/databases.ts'
import { asAda, openTestHouse, visitor } from './support/small-operator.ts'

const everybody = officeRoles.join(' ')

const table: Readonly<Record<string, string>> = {
  InviteStaff: 'owner',
  SetRoles: 'owner',
  EndStaff: 'owner',
  EndStaffSignIns: 'owner',
  ResetStaffFactors: 'owner',
  CompleteTask: 'agent field manager district finance owner',
  AssignTask: 'agent manager district finance owner',
  DecideApproval: 'manager district finance owner',
  WithdrawApproval: everybody,
  RemoveFactor: everybody,
  NewRecoveryCodes: everybody,
  EndOwnSignIn: everybody,
  SearchOffice: everybody,
  WaiveCharge: 'agent manager district finance owner',
  AddCharge: 'agent manager district finance owner',
  CreditLease: 'agent manager district finance owner',
  WriteOffBalance: 'district finance owner',
  MoveBalance: 'finance owner',
  ChangeGateCode: 'agent manager district owner',
  SuspendGate: 'manager district owner',
  LiftOverlock: 'manager district owner',
  EndGateOverride: 'manager district owner',
  RecordLock: 'field manager district owner',
  ScheduleMoveOutByStaff: 'agent manager district owner',
  CancelMoveOutByStaff: 'agent manager district owner',
  VerifyMoveOut: 'field manager district owner',
  SendLink: 'agent manager district finance owner',
  StartDeskMoveIn: 'agent manager district owner',
  TakeUnitOutOfService: 'manager district owner',
  ReturnUnitToService: 'manager district owner',
  OpenDrawer: 'agent manager district',
  ReceivePayment: 'agent manager district finance owner',
  VoidReceipt: 'manager district finance owner',
  ReturnCheck: 'finance owner',
  CloseDrawer: 'agent manager district',
  MatchDeposit: 'finance',
  ProposeRentChanges: 'manager district owner',
  ProposeRentChangesByRule: 'manager district owner',
  DecideRentChanges: 'district owner',
  CancelRentChange: 'manager district owner',
  SaveStreetRates: 'district owner',
  SaveSiteSetting: 'district owner',
  SaveOffer: 'district owner',
  RefundPayment: 'agent manager district finance owner',
  RetryRefund: 'finance owner',
  RefundedByHand: 'finance owner',
  DecideReview: 'finance owner',
  DecideProof: 'district finance owner',
  OpenProofFile: 'district finance owner',
  RetryJob: 'district finance owner',
  EndJob: 'district finance owner',
  GetTenantFile: everybody,
  GetLeaseFile: everybody,
  OpenTenantDocument: everybody,
  AddStaffNote: 'agent field manager district finance owner',
  SetTenantFlag: 'manager district finance owner',
  UpdateTenantByStaff: 'agent manager district finance owner',
  ShowSensitive: 'manager district finance owner',
  ExportTenant: 'district owner',
}

const holding = (role: OfficeRole, facilities: 'all' | string[]): Callers & { staff: StaffCaller } => ({
  ...visitor(),
  staff: {
    ...{ staffId: `the ${role}`, name: role, signIn: '0123456789abcdef', provenAt: Date.parse('2026-11-20T17:00:00Z') },
    roles: [{ role, facilities: facilities === 'all' ? 'all' : new Set(facilities) }],
  },
})

describe('The office', () => {
  const open = openerForTests()

  it('names every operation in the table', () => {
    expect(officeOperations.map(({ name }) => name).sort()).toEqual(Object.keys(table).sort())
  })

  for (const declared of officeOperations) {
    const allowed = (table[declared.name] ?? '').split(' ')
    const input = v.parse(declared.input, declared.example.input) as { location_code?: string }
    const at = input.location_code
    const statusOf = (callers: Callers) => refusedAccess(declared.access, callers, input)?.status ?? 200

    it.each(officeRoles)(`${declared.name} as %s`, (role) => {
      const may = allowed.includes(role)
      expect(statusOf(holding(role, 'all'))).toBe(may ? 200 : 403)
      expect(statusOf(holding(role, at ? [at] : ['ATL01']))).toBe(may ? 200 : 403)
      // At a facility of others: as if there were no such record. Without the permission at all: refused.
      if (at) expect(statusOf(holding(role, ['ZZZ99']))).toBe(may ? 404 : 403)
    })
  }

  it('is closed to every other kind of caller', async () => {
    const services = await openTestHouse(await open())
    for (const declared of officeOperations) {
      expect(await perform(services, declared, declared.example.input, asAda)).toMatchObject({ status: 403 })
      expect(await perform(services, declared, declared.example.input, visitor())).toMatchObject({ status: 401 })
    }
  })
})
