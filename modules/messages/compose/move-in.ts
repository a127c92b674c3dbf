import { opensAnyHour } from '../../gate/gate.ts'
import { unitCategoryOf } from '../../leases/lease.ts'
import {
  type Composers,
  leaseOf,
  loadLetters,
  nothing,
  paymentWithPlan,
  registerUrl,
  renter,
  rentingTenant,
} from './facts.ts'

export const moveInNotices: Composers<'move_in_completed' | 'register_link' | 'terms_link' | 'online_access'> = {
  async move_in_completed(services, key) {
    const of = await leaseOf(services, key)
    if (!of || of.tenant.email === '' || !of.lease.order_id || !of.lease.document_id) return nothing
    const [paid, document, fullDayAccess, unitCategory] = await Promise.all([
      paymentWithPlan(services, of.lease.order_id),
      services.db.read
        .selectFrom('lease_documents')
        .select('file_key')
        .where('document_id', '=', of.lease.document_id)
        .executeTakeFirst(),
      opensAnyHour(services.db.read, of.lease),
      unitCategoryOf(services, of.lease),
    ])
    const signed = document && (await services.files.get(document.file_key))
    if (!paid) return nothing
    // The signature is kept with its row; a file that cannot be read now may be readable in a while.
    if (!signed) throw new Error(`the signed lease ${of.lease.document_id} cannot be read`)
    const hasAccount = of.tenant.grant_online_access === 1
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).moveInCompleted({
        ...renter(of, of.tenant.first, of.lease.unit_number),
        companyName: of.tenant.company,
        unitCategory,
        leaseNumber: of.lease.lease_number,
        accessCode: of.lease.gate_code,
        gateHours: of.location.gate_hours,
        fullDayAccess,
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

  async register_link(services, key) {
    const of = await rentingTenant(services, key)
    if (!of || of.tenant.email === '' || of.tenant.account_id !== null) return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).registerLink({
        ...renter(of, of.tenant.first, of.unitNumber),
        registerUrl: registerUrl(services, of.tenant),
      }),
    }
  },

  async terms_link(services, key) {
    const of = await leaseOf(services, key)
    if (!of || of.tenant.email === '' || of.lease.terms_required !== 1 || of.lease.status === 'Closed') return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).termsLink({
        ...renter(of, of.tenant.first, of.lease.unit_number),
        termsUrl: `${services.publicUrl}/complete-lease?lease=${of.lease.lease_number}`,
      }),
    }
  },

  async online_access(services, key) {
    const of = await rentingTenant(services, key)
    if (!of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).onlineAccess({
        ...renter(of, of.tenant.first, of.unitNumber),
        forgotUrl: `${services.publicUrl}/forgot`,
      }),
    }
  },
}
