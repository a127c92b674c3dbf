import { formatScope, type OfficeRole, roleNames } from '../domain/office/roles-and-permissions.ts'
import type { Database } from '../platform/database/open.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { demoPassword } from './tenants-with-leases-and-reservations.ts'

/** TOTP secret of every demo staff member, in base32 as an authenticator app takes it. */
export const demoTotpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

interface DemoStaff {
  name: string
  role: OfficeRole
  /** Facilities; all when omitted. */
  at?: readonly string[]
}

/** Demo staff, one for each role. */
export const demoStaff: readonly DemoStaff[] = [
  { name: 'Alex Monroe', role: 'agent' },
  { name: 'Frances Okafor', role: 'field', at: ['ATL01', 'ATL02'] },
  { name: 'Miguel Serrano', role: 'manager', at: ['ATL01', 'ATL02'] },
  { name: 'Dana Reyes', role: 'district' },
  { name: 'Fiona Walsh', role: 'finance' },
  { name: 'Olivia Grant', role: 'owner' },
  { name: 'Aaron Udell', role: 'auditor' },
]

export const staffEmail = ({ role }: Pick<DemoStaff, 'role'>): string => `${role}@office.example`

/** Log-ins of the demo's staff members for the terminal: e-mail address, password, role and facilities. */
export const demoStaffLogins = demoStaff.map((member) => ({
  email: staffEmail(member),
  password: demoPassword,
  role: roleNames[member.role],
  where: member.at?.join(', ') ?? 'all facilities',
}))

/** Adds the staff members once. Does nothing without a sealer, which their second factors need. */
export async function seedStaff(db: Database, parts: SeedParts): Promise<void> {
  const { sealer } = parts
  if (!sealer) return
  const existing = await db.read.selectFrom('staff').select('staff_id').limit(1).executeTakeFirst()
  if (existing) return
  const password_hash = await parts.hashPassword(demoPassword)
  const now = parts.clock.now()
  const people = demoStaff.map((member) => ({
    ...member,
    staff_id: parts.random.uuid(),
    factor_id: parts.random.uuid(),
  }))
  await db.transaction(async (tx) => {
    const inserted = await tx
      .insertInto('staff')
      .values(
        people.map((member) => ({
          staff_id: member.staff_id,
          email: staffEmail(member),
          name: member.name,
          password_hash,
          invite_hash: null,
          invite_expires_at: null,
          created_at: now,
          ended_at: null,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('staff_id')
      .execute()
    // Another process that started at the same time has added the staff members.
    if (inserted.length < people.length) return
    await tx
      .insertInto('staff_roles')
      .values(
        people.flatMap(({ staff_id, role, at }) =>
          (at?.map((facility) => formatScope({ facility })) ?? ['all']).map((scope) => ({ staff_id, role, scope })),
        ),
      )
      .execute()
    await tx
      .insertInto('staff_factors')
      .values(
        people.map(({ staff_id, factor_id }) => ({
          factor_id,
          staff_id,
          kind: 'totp' as const,
          name: 'Demo app',
          credential_id: null,
          public_key: null,
          counter: 0,
          transports: '[]',
          secret_sealed: sealer.seal(demoTotpSecret, `office totp:${staff_id}`),
          code_hash: null,
          created_at: now,
          last_used_at: null,
        })),
      )
      .execute()
  })
}
