import { TOTP } from 'otpauth'
import { demoTotpSecret, staffEmail } from '../../demo/staff.ts'
import { demoPassword } from '../../demo/tenants-with-leases-and-reservations.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { submissionOf, type Typed } from '../simulation/form-submission.ts'
import { type Reach, Visitor } from './visitor-http-client.ts'

/** A staff member of the demo, who uses the office pages as a browser without scripts does. */
export class StaffMember {
  readonly #visitor: Visitor

  constructor(reach: Reach | string, address: string) {
    this.#visitor = new Visitor(reach, address)
  }

  /**
   * Signs in with password and authenticator app, whose code works once.
   * @param now time that the site's clock shows, in epoch milliseconds
   */
  async signIn(role: OfficeRole, now: number): Promise<void> {
    await this.#visitor.page('/office/sign-in', { email: staffEmail({ role }), password: demoPassword })
    const code = new TOTP({ secret: demoTotpSecret }).generate({ timestamp: now })
    const entered = await this.#visitor.page('/office/second-factor', { intent: 'totp', code })
    if (entered.status !== 302) throw new Error(`Signing in as ${role} answered ${entered.status}`)
  }

  /** Returns a page's HTML. @throws Error for another status than 200 */
  async read(path: string): Promise<string> {
    const { status, html } = await this.#visitor.page(path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    return html
  }

  /**
   * Fills in the form of a button and presses it.
   * @param button value of the button, or a pattern of that value; '' for the first button of the first form with all
   * fields of `typed`
   * @returns `to`: target of the redirect, or ''; `html`: the response's body
   * @throws Error when there is no such form, or the response is neither a redirect nor a page
   */
  async press(path: string, button: string | RegExp, typed: Typed = {}): Promise<{ to: string; html: string }> {
    return this.#press(path, await this.read(path), button, typed)
  }

  /**
   * Fills in a money form, opens its preview and confirms it.
   * @throws Error when the form is refused, or becomes an approval request
   */
  async pressMoney(path: string, typed: Typed): Promise<void> {
    const { html } = await this.press(path, 'preview', typed)
    const { to } = await this.#press(path, html, 'act', {})
    if (to === '' || to.includes('done=asked')) throw new Error(`${path} was not done: ${to}`)
  }

  async #press(path: string, page: string, button: string | RegExp, typed: Typed) {
    const value = typeof button === 'string' ? button : new RegExp(`value="(${button.source})"`).exec(page)?.[1]
    const sent = value === undefined ? `no button ${button}` : submissionOf(page, value, typed)
    if (typeof sent === 'string' || sent instanceof FormData) throw new Error(`${path}: ${sent}`)
    const { status, to, html } = await this.#visitor.page(path, sent)
    if (status !== 302 && status !== 200) throw new Error(`${path} answered ${status}`)
    return { to, html }
  }
}
