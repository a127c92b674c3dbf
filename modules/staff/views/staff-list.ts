import { type Kysely, type SqlBool, sql } from 'kysely'
import { lowerCaseForms } from '../../../platform/database/spellings-for-case-insensitive-search.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadRolesByStaffId, type StaffMember, selectStaff, toStaffMember } from '../staff-members.ts'

const hasLeft = sql<number>`case when ended_at is null then 0 else 1 end`

/**
 * Returns a page of staff members by name; former staff members come last.
 * @param text part of the name or e-mail address
 * @param after staff id of the previous page's last row
 */
export async function loadStaffPage(
  db: Kysely<Tables>,
  { text, after, most }: { text: string; after: string | null; most: number },
): Promise<{ people: StaffMember[]; next: string | null }> {
  const contains = (column: 'name' | 'email', form: string) =>
    sql<SqlBool>`lower(${sql.ref(column)}) like ${`%${form.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
  const last = after === null ? undefined : await selectStaff(db).where('staff_id', '=', after).executeTakeFirst()
  const rows = await selectStaff(db)
    .$if(text !== '', (query) =>
      query.where((eb) =>
        eb.or([contains('email', text.toLowerCase()), ...lowerCaseForms(text).map((form) => contains('name', form))]),
      ),
    )
    .$if(last !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(${hasLeft}, name, staff_id) > (${Number(last?.ended_at != null)}, ${last?.name}, ${last?.staff_id})`,
      ),
    )
    .orderBy(hasLeft)
    .orderBy('name')
    .orderBy('staff_id')
    .limit(most + 1)
    .execute()
  const people = rows.slice(0, most)
  const roles = await loadRolesByStaffId(
    db,
    people.map((row) => row.staff_id),
  )
  return {
    people: people.map((row) => toStaffMember(row, roles.get(row.staff_id) ?? [])),
    next: rows.length > most ? (people.at(-1)?.staff_id ?? null) : null,
  }
}
