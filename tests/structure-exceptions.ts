/** Where the rules of `import-rule.test.ts` are broken still. Each list only gets shorter. */
export const exceptions = {
  order: [] as string[],
  private: [] as string[],
  circles: [] as string[][],
  writers: ['modules/payments/checkout.ts writes quotes', 'modules/payments/orders.ts writes quotes'] as string[],
  /** Reads of a table whose module stands above, each with its reason. */
  upwardReads: {
    'modules/appointments/appointments.ts reads locations': 'a check that a row exists',
    'modules/leases/autopay-mandate.ts reads payments': 'a check that a row exists',
    'modules/reservations/draft.ts reads accounts': 'a check that a row exists',
    'modules/reservations/find-reservation.ts reads leases': 'a check that a row exists',
    'modules/reservations/named-agent.ts reads leases': 'a check that a row exists',
    'modules/reservations/prospects.ts reads leases': 'a check that a row exists',
    'modules/tenants/operations.ts reads accounts': 'a check that a row exists',
    'modules/tenants/operations.ts reads leases': 'a check that a row exists',
    'modules/tenants/tenant.ts reads leases': 'a check that a row exists',
    'modules/tenants/tenant.ts reads rental_drafts': 'a check that a row exists',
  } as Record<string, string>,
  sqlInPages: ['app/move-in/completed-rental.ts'] as string[],
  long: ['app/move-in/lease.tsx', 'app/units/unit-lease-details.tsx', 'sandbox/server.ts'] as string[],
  vagueNames: [] as string[],
}
