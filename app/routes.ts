/** Routes of the site's pages and files, and of the office and the demo. */
import { readdirSync } from 'node:fs'
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'
import { sitePageNames } from '../modules/facilities/rules/operator-text-pages.ts'

/** Returns a route below `address` for each page in a folder. The last part of its address is the file's name without `.tsx`. */
const pagesIn = (folder: string, address: string) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith('.tsx'))
    .sort()
    .map((name) => route(`${address}/${name.replace('.tsx', '')}`, `${folder}/${name}`))

export default [
  // Public pages, without scripts. Most of them are cached (server/web/page-cache-keys.ts).
  layout('find-storage/layout.tsx', [
    index('find-storage/home.tsx'),
    route('search', 'find-storage/search.tsx'),
    route('size-guide', 'find-storage/size-guide.tsx'),
    route('storage-units', 'find-storage/states.tsx'),
    route('storage-units/:state', 'find-storage/state.tsx'),
    route('storage-units/:state/:city', 'find-storage/city.tsx'),
    route('storage-units/:state/:city/:slug', 'find-storage/facility-page.tsx', { id: 'find-storage/location' }),
    ...sitePageNames.map((name) => route(name, 'find-storage/operator-text-page.tsx', { id: `find-storage/${name}` })),
    route('choose/:locationCode/:unitTypeId', 'find-storage/choose-unit-on-floor-plan.tsx', {
      id: 'find-storage/choose',
    }),
    route('tell-me/:locationCode/:unitTypeId', 'find-storage/join-waitlist.tsx'),
    route('api', 'api/api-documentation.tsx', { id: 'api/api-page' }),
  ]),
  route('photographs/:location/:photo/:file', 'find-storage/facility-photograph-file.ts', {
    id: 'find-storage/photograph',
  }),

  // Reservation.
  route('rent/:locationCode/:unitTypeId', 'reserve/start-rental-draft.tsx', { id: 'reserve/unit-loading' }),
  route('reservation-date', 'reserve/reservation-date.tsx'),
  route('add-contact', 'reserve/renter-contact.tsx', { id: 'reserve/add-contact' }),
  route('designated-agent', 'reserve/designated-agent.tsx'),
  route('default-notice', 'reserve/delivery-of-notices-of-default.tsx', { id: 'reserve/default-notice' }),
  route('reservation-details', 'reserve/review-reservation.tsx', { id: 'reserve/reservation-details' }),
  route('reservation-confirmed', 'reserve/reservation-confirmed.tsx'),

  // Finding and canceling a reservation.
  route('find-reservation', 'reserve/find-reservation.tsx'),
  route('guest/find-reservation', 'reserve/find-reservation.tsx', { id: 'reserve/guest-find-reservation' }),
  route('reservation', 'reserve/reservation-by-code.tsx'),
  route('reservation/:uuid', 'reserve/reservation-link.tsx'),
  route('reservation/:uuid/cancel', 'reserve/reservation-link.tsx', { id: 'reserve/reservation-cancel-link' }),
  route('cancel-reservation', 'reserve/cancel-reservation.tsx'),
  route('reservation-not-found', 'reserve/reservation-not-found-page.tsx', { id: 'reserve/reservation-not-found' }),

  // Move-in: its steps, payment, completion and documents.
  route('price-beside/:step', 'move-in/serve-price-summary.ts', { id: 'move-in/live-price' }),
  route('vehicle', 'move-in/yes-no-step.tsx', { id: 'move-in/vehicle' }),
  route('vehicle-info', 'move-in/vehicle-lien-insurance-military-step.tsx', { id: 'move-in/vehicle-info' }),
  route('lien-holder', 'move-in/yes-no-step.tsx', { id: 'move-in/lien-holder' }),
  route('lien-holder-details', 'move-in/vehicle-lien-insurance-military-step.tsx', {
    id: 'move-in/lien-holder-details',
  }),
  route('insurance-schemes', 'move-in/insurance-schemes.tsx'),
  route('home-owner-insurance', 'move-in/vehicle-lien-insurance-military-step.tsx', {
    id: 'move-in/home-owner-insurance',
  }),
  route('shield-brochure', 'move-in/read-insurance-brochure.tsx', { id: 'move-in/shield-brochure' }),
  route('customer-info', 'move-in/customer-info.tsx'),
  route('full-day-access', 'move-in/full-day-access-step.tsx', { id: 'move-in/full-day-access' }),
  route('military', 'move-in/yes-no-step.tsx', { id: 'move-in/military' }),
  route('military-details', 'move-in/vehicle-lien-insurance-military-step.tsx', { id: 'move-in/military-details' }),
  route('lease', 'move-in/lease.tsx'),
  route('payment-method', 'move-in/payment-method.tsx'),
  route('process-payment', 'move-in/card-payment.tsx', { id: 'move-in/process-payment' }),
  route('process-payment-ach', 'move-in/process-payment-ach.tsx'),
  // The card frame returns here from another site, without cookies. The response redirects the top window.
  route('card-return/:orderId', 'pay/card-frame-return.tsx', { id: 'move-in/card-return' }),
  route('confirm-rental-payment', 'move-in/rental-payment-return.tsx', { id: 'move-in/confirm-rental-payment' }),
  route('rental-completed', 'move-in/rental-completed.tsx'),
  route('lease-document/:which', 'move-in/lease-pdf.tsx', { id: 'move-in/lease-document' }),
  route('brochure/:locationCode', 'move-in/download-insurance-brochure.ts', { id: 'move-in/brochure' }),

  // Registering, signing in and out, and finding the gate code.
  route('login', 'account/login.tsx'),
  route('passkey-options', 'account/passkey-options.ts'),
  route('register', 'account/register.tsx'),
  route('forgot', 'account/forgot.tsx'),
  route('find-gate-code', 'account/find-gate-code.tsx'),
  route('complete-register', 'account/complete-register.tsx'),
  route('log-out', 'account/log-out.tsx'),

  // Tenant's account, insurance brochure by e-mail address, and appointment.
  route('account-profile', 'account/profile.tsx'),
  route('update-profile', 'account/update-profile.tsx'),
  route('update-password', 'account/update-password.tsx'),
  route('add-passkey', 'account/add-passkey.tsx'),
  route('confirm-email', 'account/confirm-email.tsx'),
  route('account-undo', 'account/account-undo.tsx'),
  route('session-time', 'account/session-time-left-and-renewal.ts', { id: 'account/session-time' }),
  route('download-sboa', 'account/find-insurance-brochure-by-email.tsx', { id: 'account/download-sboa' }),
  route('confirm_appointment', 'appointment/confirm-appointment.tsx'),

  // Portal. Ids stay as released: a page left open during an upgrade requests its data by them.
  route('my-units', 'portal/my-units.tsx', { id: 'units/my-units' }),
  route('unit-lease-details', 'portal/unit/unit-details-page.tsx', { id: 'units/unit-lease-details' }),
  route('recent-activity', 'portal/payment-history-page.tsx', { id: 'units/recent-activity' }),
  route('my-units.csv', 'portal/my-units-csv.ts', { id: 'units/my-units-file' }),
  route('recent-activity.csv', 'portal/payment-history-file.ts', { id: 'units/recent-activity-file' }),
  route('schedule-move-out', 'portal/schedule-move-out.tsx', { id: 'units/schedule-move-out' }),
  route('change-size', 'portal/change-size.tsx'),
  route('move-out-receipt', 'portal/move-out-receipt.tsx', { id: 'units/move-out-receipt' }),
  route('agreements/:documentId', 'portal/agreement-file.ts'),
  route('complete-lease', 'portal/accept-updated-terms.tsx', { id: 'units/complete-lease' }),
  route('complete-lease/agreement', 'portal/updated-agreement-pdf.ts', { id: 'units/complete-lease-agreement' }),
  route('unit-map', 'portal/unit-map.tsx', { id: 'units/unit-map' }),
  route('proof-of-insurance', 'portal/proof-of-insurance.tsx', { id: 'units/proof-of-insurance' }),
  route('proof-of-insurance/:proofId', 'portal/download-insurance-proof.ts', { id: 'units/proof-file' }),

  // Payment: pay/payer-page-addresses.ts derives the payer from the route.
  route('online-payment-method', 'pay/payment-method.tsx', { id: 'tenant/method' }),
  route('online-payment', 'pay/card-payment.tsx', { id: 'tenant/card' }),
  route('online-payment-ach', 'pay/bank-payment.tsx', { id: 'tenant/bank' }),
  route('checkout-completed', 'pay/payment-return.tsx', { id: 'tenant/return' }),
  route('pay-for-units', 'pay/payment-method.tsx', { id: 'units/method' }),
  route('pay-for-units/card', 'pay/card-payment.tsx', { id: 'units/card' }),
  route('pay-for-units/bank', 'pay/bank-payment.tsx', { id: 'units/bank' }),
  route('pay-for-units/completed', 'pay/payment-return.tsx', { id: 'units/return' }),
  route('receipt/:orderId', 'pay/receipt.tsx'),
  route('guest/find-email', 'pay/find-guest-account-by-email.tsx', { id: 'pay/guest-email' }),
  route('guest/find-units', 'pay/guest-units.tsx'),
  route('guest/select-method', 'pay/payment-method.tsx', { id: 'guest/method' }),
  route('guest/process-payment', 'pay/card-payment.tsx', { id: 'guest/card' }),
  route('guest/process-payment-ach', 'pay/bank-payment.tsx', { id: 'guest/bank' }),
  route('guest/accept-payment', 'pay/payment-return.tsx', { id: 'guest/return' }),
  route('guest/payment-completed', 'pay/payment-completed.tsx', { id: 'guest/completed' }),
  route('autopay-off/:token', 'pay/autopay-off.tsx'),
  route('auction-winner', 'pay/redirect-incomplete-link.ts', { id: 'auction/link-address' }),
  route('auction-winner/:uuid', 'pay/acknowledge-auction-rules.tsx', { id: 'pay/auction-winner' }),
  route('auction-winner-payment-method/:uuid', 'pay/payment-method.tsx', { id: 'auction/method' }),
  route('auction-winner-process-payment', 'pay/card-payment.tsx', { id: 'auction/card' }),
  route('auction-winner-accept-payment', 'pay/payment-return.tsx', { id: 'auction/return' }),
  route('auction-winner-payment-completed', 'pay/payment-completed.tsx', { id: 'auction/completed' }),
  route('past-due-payment', 'pay/redirect-incomplete-link.ts', { id: 'settlement/link-address' }),
  route('past-due-payment/:uuid', 'pay/payment-method.tsx', { id: 'settlement/method' }),
  route('p/:uuid', 'pay/payment-method.tsx', { id: 'settlement/short-link' }),
  route('past-due-payment-process', 'pay/card-payment.tsx', { id: 'settlement/card' }),
  route('past-due-payment-accept', 'pay/payment-return.tsx', { id: 'settlement/return' }),
  route('past-due-payment-completed', 'pay/payment-completed.tsx', { id: 'settlement/completed' }),

  // Office, for staff members only.
  route('office/sign-in', 'office/sign-in.tsx'),
  route('office/second-factor', 'office/second-factor.tsx'),
  route('office/add-factor', 'office/add-factor.tsx'),
  route('office/passkey-options', 'office/passkey-options.ts'),
  route('office/join/:token', 'office/accept-invitation.tsx'),
  route('office/sign-out', 'office/sign-out.tsx'),
  route('office/rent-changes/leases.csv', 'office/rents/current-rents-csv.ts'),
  route('office/reports/:name.csv', 'office/reports/report-file.ts'),
  route('office/audit/file', 'office/audit-file.ts'),
  route('office/setup/:location/gate/list.csv', 'office/setup/download-gate-codes.ts', {
    id: 'office/setup/gate-list',
  }),
  route('office/photographs/:location/:photo/:file', 'office/units/unit-photograph-file.ts', {
    id: 'office/units/photograph',
  }),
  route('office/proofs/:location/:proof', 'office/insurance-proof-file.ts', { id: 'office/proof-file' }),
  route('office/day-close/:batch.csv', 'office/drawer-receipts-file.ts', { id: 'office/day-close-file' }),
  route('office/liens/:case/proofs/:step', 'office/liens/download-lien-proof.ts', { id: 'office/liens/lien-proof' }),
  route('office/tenants/:location/:tenant/documents/:kind/:document', 'office/download-tenant-document.ts', {
    id: 'office/document',
  }),
  route('office/tenants/:location/:tenant/export/archive', 'office/privacy/download-tenant-export.ts', {
    id: 'office/privacy/export-file',
  }),
  layout('office/layout.tsx', [
    route('office', 'office/today.tsx'),
    route('office/queue', 'office/work-queue.tsx', { id: 'office/queue' }),
    route('office/queue/:approvalId', 'office/approval.tsx'),
    route('office/queue/:kind/:id', 'office/queue-item-page.tsx', { id: 'office/queue-item' }),
    route('office/me', 'office/my-account.tsx'),
    route('office/find', 'office/search.tsx'),
    route('office/tenants/:location/:tenant', 'office/tenant.tsx'),
    ...pagesIn('office/operations/tenant', 'office/tenants/:location/:tenant'),
    route('office/tenants/:location/:tenant/leases/:lease', 'office/lease.tsx'),
    ...pagesIn('office/operations/lease', 'office/tenants/:location/:tenant/leases/:lease'),
    route('office/units', 'office/units/redirect-to-facility-units.ts', { id: 'office/units/first-facility' }),
    route('office/units/:location', 'office/units/units.tsx'),
    route('office/units/:location/move-in', 'office/units/start-desk-move-in.tsx'),
    route('office/units/:location/appointment', 'office/units/propose-appointment.tsx', {
      id: 'office/units/appointment',
    }),
    route('office/units/:location/:unit', 'office/units/unit.tsx'),
    route('office/field', 'office/field/field-work.tsx'),
    route('office/field/:location/:lease', 'office/field/on-site-task.tsx', { id: 'office/field/field-task' }),
    route('office/past-due', 'office/past-due/past-due-leases.tsx', { id: 'office/past-due/list' }),
    route('office/liens', 'office/liens/lien-cases.tsx', { id: 'office/liens/list' }),
    route('office/liens/rules', 'office/liens/sign-off-lien-rules.tsx', { id: 'office/liens/lien-rules' }),
    route('office/liens/:case', 'office/liens/lien-case.tsx'),
    route('office/rent-changes', 'office/rents/rent-change-batches.tsx', { id: 'office/rents/list' }),
    route('office/rent-changes/new', 'office/rents/new-rent-changes.tsx'),
    route('office/rent-changes/:batchId', 'office/rents/rent-batch.tsx'),
    route('office/setup', 'office/setup/site.tsx'),
    route('office/setup/brand/pictures', 'office/setup/brand-pictures.tsx'),
    route('office/setup/limits', 'office/setup/approval-limits.tsx'),
    route('office/setup/keys', 'office/setup/machine-keys.tsx'),
    route('office/setup/keys/:keyId', 'office/setup/machine-key.tsx'),
    route('office/setup/brand', 'office/setup/brand.tsx'),
    route('office/setup/terms', 'office/setup/ask-all-tenants-to-accept-terms.tsx', { id: 'office/setup/all-terms' }),
    route('office/setup/:location', 'office/setup/rates.tsx'),
    route('office/receipts', 'office/drawers-and-receipts.tsx', { id: 'office/receipts' }),
    route('office/receipts/stack', 'office/post-check-stack.tsx', { id: 'office/check-batch' }),
    route('office/receipts/:receipt', 'office/receipt.tsx'),
    route('office/receipts/:receipt/void', 'office/receipt-void.tsx'),
    route('office/receipts/:receipt/return', 'office/record-returned-check.tsx', { id: 'office/receipt-return' }),
    route('office/day-close/:batch', 'office/day-close.tsx'),
    route('office/setup/:location/offers', 'office/setup/fees-plans-discounts.tsx', { id: 'office/setup/offers' }),
    route('office/setup/:location/facility', 'office/setup/facility-hours-and-texts.tsx', {
      id: 'office/setup/facility',
    }),
    route('office/setup/:location/gate', 'office/setup/gate.tsx'),
    route('office/setup/:location/photographs', 'office/setup/photographs.tsx'),
    route('office/setup/:location/terms', 'office/setup/ask-tenants-to-accept-terms.tsx', { id: 'office/setup/terms' }),
    route('office/setup/:location/letting/:kind?/:id?', 'office/setup/retire-or-restore-units.tsx', {
      id: 'office/setup/rentable-units',
    }),
    route('office/setup/:location/offers/:kind/new', 'office/setup/add-fee-plan-or-discount.tsx', {
      id: 'office/setup/new-offer',
    }),
    route('office/setup/:location/offers/:kind/:id', 'office/setup/fee-plan-or-discount.tsx', {
      id: 'office/setup/offer',
    }),
    route('office/reports', 'office/reports/report-list.tsx', { id: 'office/reports/list' }),
    route('office/reports/:name', 'office/reports/report.tsx'),
    route('office/staff', 'office/staff-list.tsx', { id: 'office/staff' }),
    route('office/staff/:staffId', 'office/staff-member.tsx'),
    route('office/audit', 'office/audit.tsx'),
  ]),

  // In a demo only: 404 elsewhere.
  route('dev/mailbox', 'dev/mailbox.tsx'),
  route('dev/mailbox/:messageId', 'dev/message.tsx'),
  route('dev/gallery', 'dev/gallery.tsx'),

  layout('find-storage/not-found-layout.tsx', [route('*', 'find-storage/not-found.tsx')]),
] satisfies RouteConfig
