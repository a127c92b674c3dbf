import { Browser } from '../testing.ts'

export const tenantProfile = {
  first: 'Ada',
  middle: '',
  last: 'Byrne',
  email: 'ada@example.com',
  cell_phone: '(404) 555-0111',
  address: '5 Elm Street',
  city: 'Atlanta',
  state: 'GA',
  zip: '30309',
}

const leftOf = async ({ response }: { response: Response | null }) => JSON.parse((await response?.text()) ?? '').left

/** Simulated browser on the pages of an online account, signed in or not. */
export class AccountBrowser extends Browser {
  profile = (query = '') => this.get(`/account-profile${query}`)
  press = (form: Record<string, string>) => this.post('/account-profile', form)
  editing = () => this.get('/update-profile')
  save = (form: Record<string, string>, at = 'GA1:1001') =>
    this.post(`/update-profile?at=${at}`, { ...tenantProfile, ...form })
  choose = (form: Record<string, string>) => this.post('/update-password', form)
  /** Opens the page of a mailed link, which changes nothing. */
  openLink = (link: string) => this.get(link)
  /** Submits the page of a mailed link, which confirms or undoes a change. */
  submitLink = (link: string) => this.post(link)
  reset = (password: string) => this.post('/forgot', { intent: 'password', password, confirm_password: password })
  left = async () => leftOf(await this.get('/session-time'))
  stay = async () => leftOf(await this.post('/session-time'))
}
