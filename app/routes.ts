/** Every address of the site, in the order of the specification, grouped by who may open it. */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  // Public: the same for everybody, cached, no scripts.
  layout('find-storage/layout.tsx', [
    index('find-storage/home.tsx'),
    route('search', 'find-storage/search.tsx'),
    route('size-guide', 'find-storage/size-guide.tsx'),
    route('storage-units', 'find-storage/states.tsx'),
    route('storage-units/:state', 'find-storage/state.tsx'),
    route('storage-units/:state/:city', 'find-storage/city.tsx'),
    route('storage-units/:state/:city/:slug', 'find-storage/location.tsx'),
    route('api', 'api/api-page.tsx'),
  ]),

  // Reserve.
  route('rent/:locationCode/:unitTypeId', 'reserve/unit-loading.tsx'),
  route('reservation-date', 'reserve/reservation-date.tsx'),
  route('add-contact', 'reserve/add-contact.tsx'),
  route('designated-agent', 'reserve/designated-agent.tsx'),
  route('default-notice', 'reserve/default-notice.tsx'),
  route('reservation-details', 'reserve/reservation-details.tsx'),
  route('reservation-confirmed', 'reserve/reservation-confirmed.tsx'),

  // Find a reservation again.
  route('find-reservation', 'reserve/find-reservation.tsx'),
  route('guest/find-reservation', 'reserve/find-reservation.tsx', { id: 'reserve/guest-find-reservation' }),
  route('reservation', 'reserve/reservation-by-code.tsx'),
  route('reservation/:uuid', 'reserve/reservation-link.tsx'),
  route('reservation/:uuid/cancel', 'reserve/reservation-link.tsx', { id: 'reserve/reservation-cancel-link' }),
  route('cancel-reservation', 'reserve/cancel-reservation.tsx'),
  route('reservation-not-found', 'reserve/reservation-not-found.tsx'),

  // Move in: the five steps.
  route('vehicle', 'move-in/question.tsx', { id: 'move-in/vehicle' }),
  route('vehicle-info', 'move-in/details.tsx', { id: 'move-in/vehicle-info' }),
  route('lien-holder', 'move-in/question.tsx', { id: 'move-in/lien-holder' }),
  route('lien-holder-details', 'move-in/details.tsx', { id: 'move-in/lien-holder-details' }),
  route('insurance-schemes', 'move-in/insurance-schemes.tsx'),
  route('home-owner-insurance', 'move-in/details.tsx', { id: 'move-in/home-owner-insurance' }),
  route('shield-brochure', 'move-in/shield-brochure.tsx'),
  route('customer-info', 'move-in/customer-info.tsx'),
  route('full-day-access', 'move-in/full-day-access.tsx'),
  route('military', 'move-in/question.tsx', { id: 'move-in/military' }),
  route('military-details', 'move-in/details.tsx', { id: 'move-in/military-details' }),
  route('lease', 'move-in/lease.tsx'),
  route('payment-method', 'move-in/payment-method.tsx'),
  route('process-payment', 'move-in/process-payment.tsx'),
  route('process-payment-ach', 'move-in/process-payment-ach.tsx'),
  // The card frame returns here from another site, without cookies; the page it answers moves the top window on.
  route('card-return/:orderId', 'move-in/card-return.tsx'),
  route('confirm-rental-payment', 'move-in/confirm-rental-payment.tsx'),
  route('rental-completed', 'move-in/rental-completed.tsx'),
  route('lease-document/:which', 'move-in/lease-document.tsx'),
  route('brochure/:locationCode', 'move-in/brochure.tsx'),

  // Account, as far as a move-in needs it.
  route('login', 'account/login.tsx'),
  route('passkey-options', 'account/passkey-options.ts'),
  route('register', 'account/register.tsx'),
  route('forgot', 'account/forgot.tsx'),
  route('find-gate-code', 'account/find-gate-code.tsx'),
  route('complete-register', 'account/complete-register.tsx'),
  route('log-out', 'account/log-out.tsx'),

  // The tenant's account.
  route('account-profile', 'account/profile.tsx'),
  route('update-profile', 'account/update-profile.tsx'),
  route('update-password', 'account/update-password.tsx'),
  route('add-passkey', 'account/add-passkey.tsx'),
  route('confirm-email', 'account/confirm-email.tsx'),
  route('account-undo', 'account/account-undo.tsx'),
  route('session-time', 'account/session-time.ts'),
  route('download-sboa', 'account/download-sboa.tsx'),
  route('confirm_appointment', 'appointment/confirm-appointment.tsx'),

  // Portal. Ids as released: a page that is open during an upgrade asks for its data by them.
  route('my-units', 'portal/my-units.tsx', { id: 'units/my-units' }),
  route('unit-lease-details', 'portal/unit/page.tsx', { id: 'units/unit-lease-details' }),
  route('recent-activity', 'portal/recent-activity.tsx', { id: 'units/recent-activity' }),
  route('recent-activity.csv', 'portal/recent-activity-file.ts', { id: 'units/recent-activity-file' }),
  route('schedule-move-out', 'portal/schedule-move-out.tsx', { id: 'units/schedule-move-out' }),
  route('move-out-receipt', 'portal/move-out-receipt.tsx', { id: 'units/move-out-receipt' }),
  route('complete-lease', 'portal/complete-lease.tsx', { id: 'units/complete-lease' }),
  route('complete-lease/agreement', 'portal/complete-lease-agreement.ts', { id: 'units/complete-lease-agreement' }),
  route('unit-map', 'portal/unit-map.tsx', { id: 'units/unit-map' }),
  route('proof-of-insurance', 'portal/proof-of-insurance.tsx', { id: 'units/proof-of-insurance' }),
  route('proof-of-insurance/:proofId', 'portal/proof-file.tsx', { id: 'units/proof-file' }),

  // Paying: the payer follows from the route (pay/payers.ts).
  route('online-payment-method', 'pay/method.tsx', { id: 'tenant/method' }),
  route('online-payment', 'pay/card.tsx', { id: 'tenant/card' }),
  route('online-payment-ach', 'pay/bank.tsx', { id: 'tenant/bank' }),
  route('checkout-completed', 'pay/return.tsx', { id: 'tenant/return' }),
  route('receipt/:orderId', 'pay/receipt.tsx'),
  route('guest/find-email', 'pay/guest-email.tsx'),
  route('guest/find-units', 'pay/guest-units.tsx'),
  route('guest/select-method', 'pay/method.tsx', { id: 'guest/method' }),
  route('guest/process-payment', 'pay/card.tsx', { id: 'guest/card' }),
  route('guest/process-payment-ach', 'pay/bank.tsx', { id: 'guest/bank' }),
  route('guest/accept-payment', 'pay/return.tsx', { id: 'guest/return' }),
  route('guest/payment-completed', 'pay/completed.tsx', { id: 'guest/completed' }),
  route('autopay-off/:token', 'pay/autopay-off.tsx'),
  route('auction-winner', 'pay/link-address.ts', { id: 'auction/link-address' }),
  route('auction-winner/:uuid', 'pay/auction-winner.tsx'),
  route('auction-winner-payment-method/:uuid', 'pay/method.tsx', { id: 'auction/method' }),
  route('auction-winner-process-payment', 'pay/card.tsx', { id: 'auction/card' }),
  route('auction-winner-accept-payment', 'pay/return.tsx', { id: 'auction/return' }),
  route('auction-winner-payment-completed', 'pay/completed.tsx', { id: 'auction/completed' }),
  route('past-due-payment', 'pay/link-address.ts', { id: 'settlement/link-address' }),
  route('past-due-payment/:uuid', 'pay/method.tsx', { id: 'settlement/method' }),
  route('p/:uuid', 'pay/method.tsx', { id: 'settlement/short-link' }),
  route('past-due-payment-process', 'pay/card.tsx', { id: 'settlement/card' }),
  route('past-due-payment-accept', 'pay/return.tsx', { id: 'settlement/return' }),
  route('past-due-payment-completed', 'pay/completed.tsx', { id: 'settlement/completed' }),

  // The office: staff alone.
  route('office/sign-in', 'office/sign-in.tsx'),
  route('office/second-factor', 'office/second-factor.tsx'),
  route('office/add-factor', 'office/add-factor.tsx'),
  route('office/passkey-options', 'office/passkey-options.ts'),
  route('office/join/:token', 'office/join.tsx'),
  route('office/sign-out', 'office/sign-out.tsx'),
  layout('office/layout.tsx', [
    route('office', 'office/today.tsx'),
    route('office/queue', 'office/today.tsx', { id: 'office/queue' }),
    route('office/queue/:approvalId', 'office/approval.tsx'),
    route('office/me', 'office/me.tsx'),
    route('office/find', 'office/find.tsx'),
    route('office/tenants/:location/:tenant', 'office/tenant.tsx'),
    route('office/tenants/:location/:tenant/leases/:lease', 'office/lease.tsx'),
    route('office/staff', 'office/staff.tsx'),
    route('office/staff/:staffId', 'office/person.tsx'),
    route('office/audit', 'office/audit.tsx'),
  ]),

  // Development only: answers 404 in production.
  route('dev/mailbox', 'dev/mailbox.tsx'),
  route('dev/mailbox/:messageId', 'dev/message.tsx'),
  route('dev/gallery', 'dev/gallery.tsx'),

  layout('find-storage/not-found-layout.tsx', [route('*', 'find-storage/not-found.tsx')]),
] satisfies RouteConfig
