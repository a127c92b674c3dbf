/** The holder of an account, for tests of its pages. */
import { Browser } from '../testing.ts'
import * as accountUndo from './account-undo.tsx'
import * as confirmEmail from './confirm-email.tsx'
import * as forgot from './forgot.tsx'
import * as accountProfile from './profile.tsx'
import * as sessionTime from './session-time.ts'
import * as updatePassword from './update-password.tsx'
import * as updateProfile from './update-profile.tsx'

/** Ada's profile as it stands on file. */
export const onFile = {
  ...{ first: 'Ada', middle: '', last: 'Byrne', email: 'ada@example.com', cell_phone: '(404) 555-0111' },
  ...{ address: '5 Elm Street', city: 'Atlanta', state: 'GA', zip: '30309' },
}

const leftOf = async ({ response }: { response: Response | null }) => JSON.parse((await response?.text()) ?? '').left

export class Holder extends Browser {
  profile = (query = '') => this.ask(accountProfile.loader, { path: `/account-profile${query}` })
  press = (form: Record<string, string>) => this.ask(accountProfile.action, { path: '/account-profile', form })
  editing = () => this.ask(updateProfile.loader, { path: '/update-profile' })
  /** Ada's profile with these changes. */
  save = (form: Record<string, string>, at = 'GA1:1001') =>
    this.ask(updateProfile.action, { path: `/update-profile?at=${at}`, form: { ...onFile, ...form } })
  choose = (form: Record<string, string>) => this.ask(updatePassword.action, { path: '/update-password', form })
  opening = (link: string) => this.ask(confirmEmail.loader, { path: link })
  confirm = (link: string) => this.ask(confirmEmail.action, { path: link, form: {} })
  open = (link: string) => this.ask(accountUndo.loader, { path: link })
  undo = (link: string) => this.ask(accountUndo.action, { path: link, form: {} })
  reset = (password: string) =>
    this.ask(forgot.action, { path: '/forgot', form: { intent: 'password', password, confirm_password: password } })
  left = async () => leftOf(await this.ask(sessionTime.loader, { path: '/session-time' }))
  stay = async () => leftOf(await this.ask(sessionTime.action, { path: '/session-time', form: {} }))
}
