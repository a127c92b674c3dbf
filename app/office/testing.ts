/** Staff members for tests: invited with roles, signed in through the pages. */
import { TOTP } from 'otpauth'
import type { OfficeRole, RoleScope } from '../../domain/office/roles-and-permissions.ts'
import { findStaffByToken } from '../../modules/staff/sign-ins.ts'
import { inviteStaffMember } from '../../modules/staff/staff-members.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { Browser } from '../testing.ts'
import * as join from './accept-invitation.tsx'
import * as addFactor from './add-factor.tsx'
import * as secondFactor from './second-factor.tsx'
import * as signIn from './sign-in.tsx'

export const officePassword = 'slow purple hinges 9'

/** Simulated browser of one staff member, which signs in to the office and keeps its cookies. */
export class StaffBrowser extends Browser {
  email = ''
  /** Secret of the authenticator app; '' without one. */
  secret = ''
  recoveryCodes: string[] = []

  /** Returns the current code of the authenticator app. */
  code = () => new TOTP({ secret: this.secret }).generate({ timestamp: this.services.clock.now() })

  /** Accepts the invitation with a name and `officePassword`. */
  join = (token: string, name = 'Sam Ortiz') =>
    this.ask(join.action, {
      path: `/office/join/${token}`,
      params: { token },
      form: { name, password: officePassword },
    })

  /** Adds an authenticator app, which completes the first sign-in. */
  async addApp() {
    const { data } = await this.ask(addFactor.loader, { path: '/office/add-factor?kind=app' })
    this.secret = data.app?.secret ?? ''
    const form = { intent: 'totp', code: this.secret ? this.code() : '', name: 'Phone' }
    const added = await this.ask(addFactor.action, { path: '/office/add-factor', form })
    if (added.data?.codes?.length) this.recoveryCodes = added.data.codes
    return added
  }

  givePassword = (password = officePassword) =>
    this.ask(signIn.action, { path: '/office/sign-in', form: { email: this.email, password } })
  giveCode = (code: string, intent: 'totp' | 'recovery' = 'totp', query = '') =>
    this.ask(secondFactor.action, { path: `/office/second-factor${query}`, form: { intent, code } })

  /** Returns the staff member as operations see them. */
  async caller(): Promise<StaffCaller> {
    const staff = this.office.token === null ? undefined : await findStaffByToken(this.services, this.office.token)
    if (!staff) throw new Error('Not signed in')
    return staff
  }
}

/** Invites a staff member with a role, at all facilities by default, and signs them in with an authenticator app. */
export async function signedInStaff(
  services: Services,
  role: OfficeRole,
  { scope = { all: true }, name = role }: { scope?: RoleScope; name?: string } = {},
): Promise<StaffBrowser> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@office.example`
  const invited = await services.db.transaction((tx) =>
    inviteStaffMember(tx, services, { email, name, roles: [{ role, scope }] }),
  )
  if (!invited) throw new Error(`${email} is known`)
  const person = new StaffBrowser(services)
  person.email = email
  await person.join(invited.token, name)
  const added = await person.addApp()
  if (person.office.token === null || added.status !== 200)
    throw new Error(`Could not join: ${JSON.stringify(added.data)}`)
  return person
}
