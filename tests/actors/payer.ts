import { payers } from '../../app/pay/payer-page-addresses.ts'
import { demoPassword } from '../../demo/tenants-with-leases-and-reservations.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { seededRandom } from '../../ports/testing-clock-and-random.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { payAtCardPage, type Visitor } from './visitor-http-client.ts'

/**
 * Opens a payment at the card provider.
 * @returns order id and URL of the card page; when refused, both '' and the error's code or the HTTP status
 */
export async function openCardPage(visitor: Visitor, input: object) {
  const { status, answer } = await visitor.ask('/api/paygateway/hostpay/transactions', input)
  if (status !== 200) return { orderId: '', url: '', code: answer.error?.code ?? String(status) }
  return { orderId: String(answer.order_id), url: String(answer.paypageurl), code: '' }
}

/**
 * Thrown when the site reports neither approval, refusal nor pending state of a card payment, such as for one that is in
 * review or to be refunded.
 */
export class NotPosted extends Error {
  readonly orderId: string

  constructor(orderId: string, answer: string) {
    super(`the payment is ${answer}`)
    this.orderId = orderId
  }
}

/**
 * Asks the site for an order's state, as a payer's return from the card page does; repeats that while it is pending.
 * @param times maximum number of requests
 * @returns 'APPROVED' or 'DECLINED'; 'PENDING' if the order still is after the last request
 * @throws NotPosted for any other state
 */
export async function queryOrderUntilFinal(visitor: Visitor, order_id: string, times = 3): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const { answer } = await visitor.ask('/api/paygateway/directpay/express', { order_id })
    if (!['APPROVED', 'DECLINED', 'PENDING'].includes(String(answer.STATE)))
      throw new NotPosted(order_id, JSON.stringify(answer))
    if (answer.STATE !== 'PENDING' || turn === times) return String(answer.STATE)
  }
}

/** Pays on the card page. Returns the order's last state; '' when the site refused to open the page. */
export async function payByCard(visitor: Visitor, input: object, card: TestCardName): Promise<string> {
  const { orderId, url } = await openCardPage(visitor, input)
  if (!orderId) return ''
  await payAtCardPage(url, card)
  return queryOrderUntilFinal(visitor, orderId)
}

/**
 * Pays from a bank account. Learns the price from the refusal of a wrong one.
 * @param field input field of the price
 * @param ending last digits of the account number, which decide the bank's response
 */
export async function payByBankAccount(
  visitor: Visitor,
  operation: string,
  input: object,
  field: string,
  ending: string,
) {
  const account = { ACHAccountNumber: `00012345${ending}`, ACHRoutingNumber: '061000104' }
  const pay = (price: string) => visitor.ask(`/api/ssm/${operation}`, { ...input, ...account, [field]: price })
  const price = (await pay('0.01')).answer.error?.fields?.[field]
  if (price) await pay(price)
}

/** A demo tenant with an account and one of their leases. */
export interface DemoTenant {
  location_code: string
  tenant_id: number
  lease_number: number
  unit_number: string
  username: string
  email: string
}

/** Returns the fields that name a tenant's lease in an API call. */
export const leaseOf = ({ location_code, tenant_id, lease_number }: DemoTenant) => ({
  location_code,
  tenant_id,
  lease_number,
})

/** Returns the open leases, not prepared for auction, of tenants with an account, ordered by username. */
export const loadDemoTenants = (db: Database): Promise<DemoTenant[]> =>
  db.read
    .selectFrom('leases')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .innerJoin('accounts', 'accounts.account_id', 'tenants.account_id')
    .select(['leases.location_code', 'leases.tenant_id', 'lease_number', 'unit_number', 'username', 'tenants.email'])
    .where('leases.status', '!=', 'Closed')
    .where('auction_prepped', '=', 0)
    .orderBy('username')
    .execute()

/**
 * Adds a fee to some leases of the tenant with the most leases. Uses only the first eight leases, so that concurrent
 * payers often choose the same ones.
 * @returns the leases with a new fee
 */
export async function addFees(
  db: Database,
  tenants: readonly DemoTenant[],
  { clock, random }: { clock: Clock; random: ReturnType<typeof seededRandom> },
): Promise<DemoTenant[]> {
  const [leases = []] = [
    ...Map.groupBy(tenants, (tenant) => `${tenant.location_code} ${tenant.tenant_id}`).values(),
  ].sort((a, b) => b.length - a.length)
  const chosen = leases.slice(0, 8).filter(() => random.integer(0, 1) === 0)
  for (const { location_code: locationCode, lease_number: leaseNumber } of chosen)
    await db.transaction((tx) =>
      postCharge(tx, { db, clock, random } as never, {
        locationCode,
        leaseNumber,
        kind: 'fee',
        cents: random.integer(1, 30_00),
        description: 'Lock cut',
        once: `several ${random.integer(0, 1e9)}`,
      }),
    )
  return chosen
}

export async function signIn(visitor: Visitor, username: string): Promise<boolean> {
  const { answer } = await visitor.ask('/api/ssm/login', { username, password: demoPassword })
  visitor.token = String(answer.token ?? '')
  return visitor.token !== ''
}

/**
 * Starts a guest payer's session by e-mail address.
 * @returns whether the address was accepted
 */
export async function enterAsGuest(visitor: Visitor, email: string): Promise<boolean> {
  const { answer } = await visitor.ask('/api/ssm/find-email', { email })
  visitor.token = String(answer.token ?? '')
  return visitor.token !== ''
}

/** Opens an auction winner's or settlement link and pays by card. */
export async function payByLink(
  visitor: Visitor,
  link: { path: string; kind: 'auction' | 'settlement'; locationCode: string },
  card: TestCardName,
): Promise<void> {
  await visitor.page(link.path)
  if (link.kind === 'auction') await visitor.page(link.path, { understood: '1' })
  await payByCard(visitor, { location_code: link.locationCode }, card)
}

/**
 * Signs in and switches autopay off on the unit's page, or on by the card or account in `by`.
 * @returns whether the site asked for the payment method
 */
export async function changeAutopay(
  visitor: Visitor,
  tenant: DemoTenant,
  by: 'off' | { card: TestCardName } | { ending: string },
): Promise<boolean> {
  await visitor.page('/login', { intent: 'login', username: tenant.username, password: demoPassword })
  const at = `${tenant.location_code}:${tenant.tenant_id}`
  const unit = `/unit-lease-details?lease=${tenant.lease_number}&at=${encodeURIComponent(at)}`
  const intent = by === 'off' ? 'autopay_off' : 'autopay_on'
  const started = await visitor.page(unit, { lease: String(tenant.lease_number), at, intent })
  if (by === 'off' || started.to !== payers.tenant.method) return false
  // A balance due is paid at the same time, on the same pages.
  return payOnPages(visitor, payers.tenant, by)
}

type PaysBy = { card: TestCardName } | { ending: string }

/**
 * Signs in and pays the dues of several units at once on the My Units page.
 * @returns whether the site asked for the payment method
 */
export async function payForUnits(
  visitor: Visitor,
  { username, location_code, tenant_id }: Pick<DemoTenant, 'username' | 'location_code' | 'tenant_id'>,
  leases: readonly number[],
  by: PaysBy,
): Promise<boolean> {
  await visitor.page('/login', { intent: 'login', username, password: demoPassword })
  const units = `/my-units?at=${encodeURIComponent(`${location_code}:${tenant_id}`)}`
  const started = await visitor.page(
    units,
    leases.map((number) => ['lease', String(number)]),
  )
  return started.to === payers.units.method && payOnPages(visitor, payers.units, by)
}

/**
 * Pays a checkout as a visitor does, on the pages that ask for the payment method.
 * @returns whether the visitor reached the page with the checkout
 */
async function payOnPages(
  visitor: Visitor,
  pages: { method: string; card: string; bank: string; returns: string },
  by: PaysBy,
): Promise<boolean> {
  const form = await visitor.page(pages.method)
  const checkout = /name="checkout" value="([^"]+)"/.exec(form.html)?.[1]
  if (!checkout) return false
  if ('ending' in by) {
    const account = `00012345${by.ending}`
    await visitor.page(pages.bank, {
      checkout,
      routing_number: '061000104',
      account_number: account,
      confirm_account: account,
      account_name: 'Terry Tenant',
      account_type: 'Checking',
    })
    return true
  }
  const chosen = await visitor.page(pages.method, { method: 'CC', checkout })
  const cardPage = chosen.to === pages.card ? await visitor.page(chosen.to) : null
  const frame = cardPage && /<iframe[^>]* src="([^"]+)"/.exec(cardPage.html)?.[1]
  if (!frame) return true
  await payAtCardPage(frame.replaceAll('&amp;', '&'), by.card)
  for (let turn = 0; turn < 3; turn += 1) if ((await visitor.page(pages.returns)).to !== '') break
  return true
}
