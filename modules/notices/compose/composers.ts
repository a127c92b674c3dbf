/**
 * The outbox's other end: each kind of notice is composed from the record when it is sent, and goes out once. Whoever
 * causes one enqueues a job with keys only, in the transaction that causes it.
 */
import { returnReason } from '../../../domain/bank.ts'
import { OVERLOCK_AFTER_DAYS } from '../../../domain/billing.ts'
import { auctionMoveOutDate, RESET_CODE_MS } from '../../../domain/business.ts'
import { PERIOD_DAYS } from '../../../domain/charges.ts'
import { failureReason, refundReason } from '../../../domain/payment.ts'
import { addDays } from '../../../domain/plain-date.ts'
import { sizeLabel } from '../../../domain/unit-type.ts'
import type { Job, JobHandlers } from '../../../platform/jobs/runner.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { JobKind, JobKinds, TenantUpdate } from '../../../platform/schema/job-kinds.ts'
import type { Mail } from '../../../ports/mail/mail.ts'
import { UNDO_MS, undoNamed, undoPath } from '../../accounts/account-undos.ts'
import { EMAIL_CHANGE_MS, emailChangeLetter } from '../../accounts/email-change.ts'
import { passkeysOf } from '../../accounts/passkeys/store.ts'
import { resetContext } from '../../accounts/password-reset.ts'
import { UNLOCK_MS, unlockToken } from '../../accounts/unlock-link.ts'
import { facilityPath } from '../../facilities/facility.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { autopayOffPath } from '../../leases/autopay-link.ts'
import { gateCodeOf } from '../../leases/gate.ts'
import { unitCategoryOf } from '../../leases/lease.ts'
import { paidAhead } from '../../payments/payers/lease.ts'
import type { Payment } from '../../payments/payment.ts'
import { paymentFacts } from '../../payments/receipt.ts'
import { priceMoveIn } from '../../pricing/move-in-price.ts'
import { agreedTerms } from '../../pricing/offers.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import { appointmentNotice } from './appointment.ts'
import {
  accountAddress,
  agreedOf,
  authorizedOf,
  type Composed,
  gateCodesOf,
  leaseOf,
  letters,
  nothing,
  noticeBrand,
  owingLease,
  paidLease,
  paymentWithPlan,
  placeOf,
  registerUrl,
  rentingTenant,
  reservationOf,
  troubled,
  unitUrl,
} from './facts.ts'
import { insuranceProof, insuranceProofDecided, ownInsurance } from './insurance.ts'

/** How notices leave the house. */
export interface Posting {
  mail: Mail
  /** 'Latchkey <desk@latchkey.example>' */
  from: string
}

/** For those who cannot turn autopay off on the unit's page: a guest who turned it on, a tenant without an account. */
async function autopayOffFor(
  services: Services,
  { payer, location_code, lease_number }: Payment,
): Promise<string | null> {
  if (lease_number === null || payer === 'auction') return null
  const lease = await services.db.read
    .selectFrom('leases')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .select(['autopay_consent_at', 'grant_online_access'])
    .where('leases.location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    .where('autopay', '=', 1)
    .executeTakeFirst()
  if (!lease || (payer !== 'guest' && lease.grant_online_access === 1)) return null
  return autopayOffPath(services, {
    ...{ locationCode: location_code, leaseNumber: lease_number, agreedAt: lease.autopay_consent_at },
  })
}

type NoticeKind = Exclude<JobKind, 'gate_code_sms'>

/** How each notice is made from its keys. */
const composers: { [Kind in NoticeKind]: (services: Services, payload: JobKinds[Kind]) => Promise<Composed> } = {
  async reservation_confirmed(services, key) {
    const of = await reservationOf(services, key)
    // A rental that is paid for by now has had its own mail.
    if (key.rentNow && of?.reservation.status !== 'active') return nothing
    const facts = of && (await facilityFacts(services, [key.locationCode])).get(key.locationCode)
    const type = facts?.unitTypes.find((one) => one.unit_type_id === of?.reservation.unit_type_id)
    const prospect = await services.db.read
      .selectFrom('prospects')
      .select(['uuid', 'location_code'])
      // Unique by itself: with the location beside it, PostgreSQL may go through all of the location's.
      .where('res_code', '=', key.reservationCode)
      .executeTakeFirst()
    if (!of || !facts || !type || prospect?.location_code !== key.locationCode || of.tenant.email === '') return nothing
    const terms = agreedTerms(facts, type, of.reservation)
    const [scheme] = [...facts.schemes].sort((a, b) => a.premium - b.premium)
    const charges = priceMoveIn(facts, type, {
      moveInDate: of.reservation.required_date,
      discount: terms.discount,
      scheme: scheme ?? null,
      access24: false,
      cardFee: false,
      agreed: terms,
    })
    return {
      to: of.tenant.email,
      notice: (await letters()).reservationConfirmed({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.reservation.unit_number,
        reservationCode: of.reservation.reservation_code,
        size: `${sizeLabel(type)}, ${type.category_name}`,
        moveInDate: of.reservation.required_date,
        holdUntil: of.reservation.hold_until,
        charges,
        rentNow: key.rentNow === true,
        resumeUrl: `${services.publicUrl}/reservation/${prospect.uuid}`,
        cancelUrl: `${services.publicUrl}/reservation/${prospect.uuid}/cancel`,
      }),
    }
  },

  async reservation_cancelled(services, key) {
    const of = await reservationOf(services, key)
    if (!of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      notice: (await letters()).reservationCancelled({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.reservation.unit_number,
        reservationCode: of.reservation.reservation_code,
        againUrl: `${services.publicUrl}${facilityPath(of.location)}`,
      }),
    }
  },

  async hold_expired(services, key) {
    const of = await reservationOf(services, key)
    if (!of || of.tenant.email === '' || of.reservation.status !== 'expired') return nothing
    return {
      to: of.tenant.email,
      notice: (await letters()).holdExpired({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.reservation.unit_number,
        reservationCode: of.reservation.reservation_code,
        againUrl: `${services.publicUrl}${facilityPath(of.location)}`,
      }),
    }
  },

  async move_in_completed(services, key) {
    const of = await leaseOf(services, key)
    if (!of || of.tenant.email === '' || !of.lease.order_id || !of.lease.document_id) return nothing
    const [paid, document, access, unitCategory] = await Promise.all([
      paymentWithPlan(services, of.lease.order_id),
      services.db.read
        .selectFrom('lease_documents')
        .select('file_key')
        .where('document_id', '=', of.lease.document_id)
        .executeTakeFirst(),
      gateCodeOf(services.db.read, of.lease),
      unitCategoryOf(services, of.lease),
    ])
    const signed = document && (await services.files.get(document.file_key))
    if (!paid) return nothing
    // The signature is kept with its row; a file that cannot be read now may be readable in a while.
    if (!signed) throw new Error(`the signed lease ${of.lease.document_id} cannot be read`)
    const hasAccount = of.tenant.grant_online_access === 1
    return {
      to: of.tenant.email,
      notice: (await letters()).moveInCompleted({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.lease.unit_number,
        companyName: of.tenant.company,
        unitCategory,
        leaseNumber: of.lease.lease_number,
        accessCode: of.lease.gate_code,
        gateHours: of.location.gate_hours,
        fullDayAccess: access.anyHour,
        directions: of.location.directions,
        specialInstruction: of.location.special_instruction_after_rental,
        charges: paid.plan.charges,
        paidThrough: of.lease.paid_through,
        autopay: of.lease.autopay === 1,
        account: {
          exists: hasAccount,
          url: hasAccount ? `${services.publicUrl}/my-units` : registerUrl(services, of.tenant),
        },
      }),
      attachments: [
        { filename: `lease-${of.lease.lease_number}.pdf`, contentType: 'application/pdf', content: signed.content },
      ],
    }
  },

  async receipt(services, { orderId }) {
    const paid = await paymentFacts(services, orderId)
    const place = paid && (await placeOf(services, paid.locationCode))
    if (!paid || !place || paid.leaseNumber === null || paid.total === 0 || paid.to === '') return nothing
    const off = await autopayOffFor(services, paid.payment)
    return {
      to: paid.to,
      notice: (await letters()).receipt({
        brand: place.brand,
        facility: place.facility,
        name: paid.name,
        unitNumber: paid.unitNumber,
        receiptNumber: paid.receiptNumber,
        paymentDate: paid.date,
        lines: paid.lines,
        total: paid.total,
        method: paid.method,
        paidThrough: paid.paidThrough,
        authorized: authorizedOf(paid.payment, place.facility.timeZone),
        autopayOffUrl: off && `${services.publicUrl}${off}`,
      }),
    }
  },

  async autopay_on(services, { orderId }) {
    const kept = await paymentFacts(services, orderId)
    const place = kept && (await placeOf(services, kept.locationCode))
    if (!kept || !place || kept.to === '' || kept.payment.authorisation === null) return nothing
    return {
      to: kept.to,
      notice: (await letters()).autopayOn({
        brand: place.brand,
        facility: place.facility,
        name: kept.first,
        unitNumber: kept.unitNumber,
        method: kept.method,
        agreed: agreedOf(kept.payment.authorisation, place.facility.timeZone),
        unitUrl: unitUrl(services, {
          locationCode: kept.locationCode,
          leaseNumber: kept.leaseNumber,
          tenantId: kept.payment.tenant_id,
        }),
      }),
    }
  },

  async auction_payment(services, { uuid }) {
    const winner = await services.db.read
      .selectFrom('auction_winners')
      .selectAll()
      .where('uuid', '=', uuid)
      .where('state', '=', 'paid')
      .executeTakeFirst()
    const [place, paid, lease] = await Promise.all([
      winner && placeOf(services, winner.location_code),
      winner?.order_id ? paymentFacts(services, winner.order_id) : null,
      winner &&
        services.db.read
          .selectFrom('leases')
          .select('scheduled_move_out')
          .where('location_code', '=', winner.location_code)
          .where('lease_number', '=', winner.lease_number)
          .executeTakeFirst(),
    ])
    if (!winner || !place || !paid || winner.email === '') return nothing
    return {
      to: winner.email,
      notice: (await letters()).auctionPaymentReceived({
        brand: place.brand,
        facility: place.facility,
        name: winner.name,
        unitNumber: winner.unit_number,
        amount: paid.total,
        gateCode: winner.gate_code,
        comboCode: winner.combo_code,
        moveOutDate: lease?.scheduled_move_out ?? auctionMoveOutDate(paid.date),
      }),
    }
  },

  async move_out_scheduled(services, { moveOutId }) {
    const moveOut = await services.db.read
      .selectFrom('move_outs')
      .selectAll()
      .where('move_out_id', '=', moveOutId)
      .executeTakeFirst()
    const of =
      moveOut && (await leaseOf(services, { locationCode: moveOut.location_code, leaseNumber: moveOut.lease_number }))
    // Taken back before the mail had left: it would say what is no longer so.
    if (!of || of.tenant.email === '' || moveOut.state === 'cancelled') return nothing
    return {
      to: of.tenant.email,
      notice: (await letters()).moveOutScheduled({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.lease.unit_number,
        unitCategory: await unitCategoryOf(services, of.lease),
        moveOutDate: moveOut.move_out_date,
      }),
    }
  },

  async reset_code(services, { resetId }) {
    const reset = await services.db.read
      .selectFrom('reset_codes')
      .innerJoin('accounts', 'accounts.account_id', 'reset_codes.account_id')
      .select(['email', 'code_sealed', 'expires_at'])
      .where('reset_id', '=', resetId)
      .executeTakeFirst()
    // A code that has run out helps nobody any more.
    if (!reset || reset.expires_at <= services.clock.now()) return nothing
    return {
      to: reset.email,
      notice: (await letters()).resetCode({
        brand: await noticeBrand(services),
        code: services.sealer.open(reset.code_sealed, resetContext(resetId)),
        minutes: RESET_CODE_MS / 60_000,
      }),
    }
  },

  async unlock(services, { accountId }) {
    const account = await accountAddress(services, accountId)
    if (!account) return nothing
    return {
      to: account.email,
      notice: (await letters()).unlockAccount({
        brand: await noticeBrand(services),
        name: account.first ?? '',
        unlockUrl: `${services.publicUrl}/login?unlock=${encodeURIComponent(unlockToken(services, accountId))}`,
        minutes: UNLOCK_MS / 60_000,
      }),
    }
  },

  async passkey_changed(services, job) {
    const account = await accountAddress(services, job.accountId)
    if (!account) return nothing
    return {
      to: account.email,
      notice: (await letters()).passkeyChanged({
        ...{ brand: await noticeBrand(services), name: account.first ?? '', passkey: job.name, change: job.change },
        forgotUrl: `${services.publicUrl}/forgot`,
      }),
    }
  },

  async register_link(services, key) {
    const of = await rentingTenant(services, key)
    if (!of || of.tenant.email === '' || of.tenant.account_id !== null) return nothing
    return {
      to: of.tenant.email,
      notice: (await letters()).registerLink({
        ...{ brand: of.brand, facility: of.facility, name: of.tenant.first, unitNumber: of.unitNumber },
        registerUrl: registerUrl(services, of.tenant),
      }),
    }
  },

  async online_access(services, key) {
    const of = await rentingTenant(services, key)
    if (!of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      notice: (await letters()).onlineAccess({
        ...{ brand: of.brand, facility: of.facility, name: of.tenant.first, unitNumber: of.unitNumber },
        forgotUrl: `${services.publicUrl}/forgot`,
      }),
    }
  },

  async gate_code(services, key) {
    const of = await gateCodesOf(services, key)
    return of && of.email !== '' ? { to: of.email, notice: (await letters()).gateCode(of.facts) } : nothing
  },

  async confirm_email(services, { changeId }) {
    const letter = await emailChangeLetter(services, changeId)
    const [tenant, brand] = await Promise.all([
      letter && tenantRow(services.db.read, letter.change.location_code, letter.change.tenant_id),
      noticeBrand(services),
    ])
    if (!letter || !tenant) return nothing
    return {
      to: letter.change.new_email,
      notice: (await letters()).confirmEmail({
        brand,
        name: tenant.first,
        newEmail: letter.change.new_email,
        confirmUrl: `${services.publicUrl}${letter.path}`,
        hours: EMAIL_CHANGE_MS / 3_600_000,
      }),
    }
  },

  async tenant_updated(services, payload) {
    const to = await toldOfUpdate(services, payload)
    if (!to || to.address === '') return nothing
    return {
      to: to.address,
      notice: (await letters()).tenantUpdated({
        brand: await noticeBrand(services),
        name: to.name,
        changed: payload.changed,
        newEmail: to.newEmail,
        ...(payload.changed === 'password' && {
          passkeys: (await passkeysOf(services, payload.accountId)).map((one) => one.name),
        }),
        ...(to.undoId && {
          undo: { url: `${services.publicUrl}${undoPath(services, to.undoId)}`, days: UNDO_MS / 86_400_000 },
        }),
      }),
    }
  },

  async change_undone(services, { to }) {
    return { to, notice: (await letters()).changeUndone({ brand: await noticeBrand(services) }) }
  },

  appointment_proposed: (services, job) => appointmentNotice(services, job, 'appointmentProposed'),
  appointment_reminder: (services, job) => appointmentNotice(services, job, 'appointmentReminder'),

  insurance_proof: (services, key) => insuranceProof(services, key, 'tenant'),
  insurance_proof_office: (services, key) => insuranceProof(services, key, 'office'),
  insurance_proof_decided: (services, job) => insuranceProofDecided(services, job),

  own_insurance_ending: (services, key) => ownInsurance(services, key, 'ending'),
  own_insurance_ended: (services, key) => ownInsurance(services, key, 'ended'),
  own_insurance_ended_office: (services, key) => ownInsurance(services, key, 'office'),

  async payment_due(services, due) {
    const of = await owingLease(services, due)
    if (!of) return nothing
    const { periodStart } = due
    return {
      to: of.to,
      notice: (await letters()).paymentDue({
        ...of.facts,
        periodStart,
        periodEnd: addDays(periodStart, PERIOD_DAYS - 1),
        locked: of.locked?.already === true,
      }),
    }
  },

  async past_due(services, due) {
    const of = await owingLease(services, due)
    // Paid for in part since: what is past due is another period now.
    if (!of || addDays(of.paidThrough, 1) !== due.periodStart) return nothing
    return {
      to: of.to,
      notice: (await letters()).pastDue({
        ...of.facts,
        paidThrough: of.paidThrough,
        lockedFrom: addDays(of.paidThrough, OVERLOCK_AFTER_DAYS + 1),
      }),
    }
  },

  async autopay_refused(services, { orderId, autopayOff, nextTry }) {
    const paid = await paymentFacts(services, orderId)
    if (!paid || paid.leaseNumber === null) return nothing
    const of = await paidLease(services, { locationCode: paid.locationCode, leaseNumber: paid.leaseNumber })
    // Paid in another way since: there is nothing to be done, but to know that autopay is off.
    if (!of || of.closed || (of.facts.balance <= 0 && !autopayOff)) return nothing
    return {
      to: of.to,
      notice: (await letters()).paymentFailed({
        ...of.facts,
        kind: 'refused',
        amount: paid.payment.amount,
        reason: `The reason given was: ${failureReason({
          responseCode: paid.payment.response_code ?? '',
          responseDescription: paid.payment.response_text ?? '',
        }).replace(/\.$/, '')}.`,
        autopayOff,
        nextTry,
        // What is tried again in time is locked by nobody.
        locked: nextTry === null ? of.locked : null,
      }),
    }
  },

  async payment_returned(services, { orderId, autopayOff }) {
    const paid = await paymentFacts(services, orderId)
    if (!paid || paid.leaseNumber === null) return nothing
    const of = await paidLease(services, { locationCode: paid.locationCode, leaseNumber: paid.leaseNumber })
    if (!of) return nothing
    return {
      to: of.to,
      notice: (await letters()).paymentFailed({
        ...of.facts,
        kind: 'returned',
        amount: paid.total,
        autopayOff,
        locked: of.locked,
        // What was paid ahead is not owed before it begins.
        beginsOn: paidAhead(services, paid.payment) && addDays(of.paidThrough, 1),
        reason: returnReason(paid.payment.return_code ?? '').what,
      }),
    }
  },

  async payment_review(services, { orderId }) {
    const facts = await troubled(services, orderId)
    return facts && { to: facts.to, notice: (await letters()).paymentUnderReview(facts.notice) }
  },

  /** @param of `by`: how a person has given it back, where the provider could not */
  async refund(services, { orderId, by }) {
    const facts = await troubled(services, orderId)
    return (
      facts && {
        to: facts.to,
        notice: (await letters()).refundMade({
          ...facts.notice,
          why: refundReason(facts.trouble),
          method: by ?? facts.method,
          byHand: by !== undefined,
        }),
      }
    )
  },
}

async function toldOfUpdate(
  services: Services,
  update: TenantUpdate,
): Promise<{ address: string; name: string; newEmail?: string; undoId?: string } | null> {
  if (update.changed === 'name' || update.changed === 'phone') {
    const tenant = await tenantRow(services.db.read, update.locationCode, update.tenantId)
    return tenant ? { address: tenant.email, name: tenant.first } : null
  }
  const account = await services.db.read
    .selectFrom('accounts')
    .innerJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select(['accounts.email as address', 'first as name'])
    .where('accounts.account_id', '=', update.accountId)
    .orderBy('tenants.location_code')
    .orderBy('tenants.tenant_id')
    .limit(1)
    .executeTakeFirst()
  if (!account) return null
  // The address of that moment: it may have been changed since.
  const undo = update.undoId ? await undoNamed(services, update.undoId) : undefined
  const undoId = undo?.state === 'open' ? undo.undo_id : undefined
  if (update.changed === 'password') return { name: account.name, address: undo?.email ?? account.address, undoId }
  const change = await services.db.read
    .selectFrom('email_changes')
    .select(['old_email', 'new_email'])
    .where('change_id', '=', update.changeId)
    .executeTakeFirst()
  if (!change) return null
  const address = update.to === 'old' ? change.old_email : change.new_email
  return { address, name: account.name, newEmail: change.new_email, undoId }
}

/** The job handlers of the outbox. A server that cannot take the mail now is tried again; see platform/jobs/runner.ts. */
export function noticeHandlers(services: Services, posting: Posting): Pick<JobHandlers, NoticeKind> {
  return Object.fromEntries(
    Object.entries(composers).map(([kind, compose]) => [
      kind,
      async (job: Job): Promise<void> => {
        const composed = await compose(services, job.payload as never)
        if (!composed) return
        await posting.mail.send({
          // The same for every try, so that a server that saw it may drop the second.
          messageId: `${job.jobId}@${new URL(services.publicUrl).hostname}`,
          to: composed.to,
          from: posting.from,
          subject: composed.notice.subject,
          text: composed.notice.text,
          html: composed.notice.html,
          attachments: composed.attachments ?? [],
        })
      },
    ]),
  ) as Pick<JobHandlers, NoticeKind>
}
