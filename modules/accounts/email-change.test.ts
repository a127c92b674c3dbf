import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord } from '../../tests/support/rows.ts'
import {
  contact,
  openTestServices,
  type TestServices,
  tenant,
  visitor,
  withDraft,
} from '../../tests/support/small-operator.ts'
import { GetActiveReservation } from '../reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations/reserve-unit-for-new-tenant.ts'
import { loadTenant } from '../tenants/tenant.ts'
import { confirmEmailChange, loadEmailChangeMail, requestEmailChange } from './email-change.ts'
import { UpdateOnlineAccessPassword } from './operations/create-account-or-change-password.ts'
import { UpdateTenantInfo } from './operations/update-tenant-info.ts'

describeOnBothEngines('A change of the e-mail address', (open) => {
  let db: Database
  let services: TestServices

  beforeEach(async () => {
    db = await open()
    services = await openTestServices(db)
  })

  async function requestChange(account_id: string, tenantId: number, newEmail: string) {
    const { email } = await db.read
      .selectFrom('accounts')
      .select('email')
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    await db.transaction((tx) =>
      requestEmailChange(tx, services, { account: { account_id, email }, locationCode: 'GA1', tenantId, newEmail }),
    )
    const { change_id } = await db.read
      .selectFrom('email_changes')
      .select('change_id')
      .where('account_id', '=', account_id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    const letter = await loadEmailChangeMail(services, change_id)
    return { changeId: change_id, token: new URLSearchParams(letter?.path.split('?')[1]).get('token') ?? '' }
  }
  const usernames = async () =>
    (await db.read.selectFrom('accounts').select('username').orderBy('account_id').execute()).map((row) => row.username)

  it('gives the address to one account when two confirm it at the same moment', async () => {
    await db.write.updateTable('accounts').set({ username: 'cy@example.com' }).where('account_id', '=', 'cy').execute()
    const links = [
      await requestChange('ada', 1001, 'shared@new.example'),
      await requestChange('cy', 1002, 'shared@new.example'),
    ] as const
    const outcomes = await Promise.all([
      confirmEmailChange(services, 'ada', links[0], ''),
      confirmEmailChange(services, 'cy', links[1], ''),
    ])
    expect(outcomes.toSorted()).toEqual(['confirmed', 'taken'])
    expect((await usernames()).filter((name) => name === 'shared@new.example')).toHaveLength(1)
    const mails = await db.read.selectFrom('jobs').select('once').where('kind', '=', 'tenant_updated').execute()
    expect(mails).toHaveLength(2)
  })

  const ownersOf = (address: string) =>
    db.read
      .selectFrom('accounts')
      .select('account_id')
      .where((eb) => eb.or([eb('email', '=', address), eb('username', '=', address)]))
      .execute()

  it('gives the address to one account also where no username is an address', async () => {
    await db.write.updateTable('accounts').set({ username: 'adab' }).where('account_id', '=', 'ada').execute()
    const links = [
      await requestChange('ada', 1001, 'shared@new.example'),
      await requestChange('cy', 1002, 'shared@new.example'),
    ] as const
    const outcomes = await Promise.all([
      confirmEmailChange(services, 'ada', links[0], ''),
      confirmEmailChange(services, 'cy', links[1], ''),
    ])
    expect(outcomes.toSorted()).toEqual(['confirmed', 'taken'])
    expect(await ownersOf('shared@new.example')).toHaveLength(1)
  })

  it('gives the address to one account when another person registers with it meanwhile', async () => {
    await addRecord(
      services,
      'tenants',
      tenant({ tenant_id: 1003, first: 'Rex', last: 'Hill', email: 'shared@new.example' }),
    )
    const account = {
      location_code: 'GA1',
      tenant_id: 1003,
      email: 'shared@new.example',
      password: 'long-enough-9-words',
      question_id: 1,
      security_answer: 'Maple',
    }
    const registrant = { locationCode: 'GA1', tenantId: 1003 }
    const link = await requestChange('cy', 1002, 'shared@new.example')
    await Promise.all([
      confirmEmailChange(services, 'cy', link, ''),
      perform(services, UpdateOnlineAccessPassword, account, { ...visitor(), registrant }),
    ])
    expect(await ownersOf('shared@new.example')).toHaveLength(1)
  })

  it('is confirmed once, however often the button is pressed', async () => {
    const link = await requestChange('ada', 1001, 'ada@new.example')
    const outcomes = await Promise.all([1, 2, 3].map(() => confirmEmailChange(services, 'ada', link, '')))
    expect(outcomes.filter((outcome) => outcome === 'confirmed')).toHaveLength(1)
    expect(await usernames()).toEqual(['ada@new.example', 'cyd'])
    expect(await db.read.selectFrom('jobs').select('once').where('kind', '=', 'tenant_updated').execute()).toHaveLength(
      2,
    )
  })

  it('leaves one open request when two tabs send requests at once', async () => {
    await Promise.allSettled([
      requestChange('ada', 1001, 'one@new.example'),
      requestChange('ada', 1001, 'two@new.example'),
    ])
    const open = await db.read.selectFrom('email_changes').selectAll().where('state', '=', 'open').execute()
    expect(open).toHaveLength(1)
  })

  it('by a session that found its reservation saves only what is missing, and says that the rest stays', async () => {
    const saved = await perform(
      services,
      SaveReservationDetails_WEB,
      { ...contact, location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026' },
      visitor(),
    )
    if (!saved.ok) throw new Error(saved.message)
    const creator = await withDraft(services, saved.grants?.draftId)
    const own = { location_code: 'GA1', tenant_id: creator.rental?.tenantId ?? 0 }
    services.clock.advance(60_000)
    const found = await perform(
      services,
      GetActiveReservation,
      { location_code: 'GA1', last_name: contact.last, phone_last_four: '0147' },
      visitor('198.51.100.2'),
    )
    if (!found.ok) throw new Error(found.message)
    const finder = await withDraft(services, found.grants?.draftId, visitor('198.51.100.2'))

    const change = { ...own, ...contact, email: 'mallory@example.com', birthday: '01/01/1990' }
    expect(await perform(services, UpdateTenantInfo, change, finder)).toEqual({
      ok: true,
      value: {
        SaveSuccessful: 'False',
        Message: 'Nothing was changed. What is on file can be changed by signing in or by calling us.',
        EmailToConfirm: '',
      },
    })
    // Submitting the values on file gets the same response, so a correct guess looks like a wrong one.
    expect(await perform(services, UpdateTenantInfo, { ...own, ...contact }, finder)).toMatchObject({
      value: { SaveSuccessful: 'False' },
    })
    const stored = await loadTenant(db.read, 'GA1', own.tenant_id)
    expect(stored).toMatchObject({ email: 'rae@example.com', identity_sealed: null })

    await db.write.updateTable('tenants').set({ address: '' }).where('tenant_id', '=', own.tenant_id).execute()
    expect(await perform(services, UpdateTenantInfo, change, finder)).toMatchObject({
      value: { SaveSuccessful: 'True', Message: 'What was missing is saved. What is on file stays as it is.' },
    })
    expect(await loadTenant(db.read, 'GA1', own.tenant_id)).toMatchObject({
      email: 'rae@example.com',
      address: '240 Spindle Street',
    })
    // The session that entered the tenant's data may correct them.
    expect(await perform(services, UpdateTenantInfo, change, creator)).toMatchObject({
      value: { SaveSuccessful: 'True', Message: 'Profile update successfully.' },
    })
    expect(await loadTenant(db.read, 'GA1', own.tenant_id)).toMatchObject({ email: 'mallory@example.com' })
  })
})
