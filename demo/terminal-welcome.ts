import { demoAppointments, demoLinks } from './links-and-appointments.ts'
import { demoStaffLogins, demoTotpSecret } from './staff.ts'
import { demoGuests, demoLogins, demoReservations } from './tenants-with-leases-and-reservations.ts'

/** Returns the text that the terminal shows when the demo is ready, with addresses, log-ins and links. */
export function formatWelcomeText(siteUrl: string, sandboxUrl: string): string {
  const table = (rows: string[][]) => {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
    return rows
      .map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
      .join('\n')
  }
  return `
  Latchkey is open.

    Website        ${siteUrl}
    Mailbox        ${siteUrl}/dev/mailbox
    Card sandbox   ${sandboxUrl}  (test cards; 4111 1111 1111 1111 is approved)
    Gates          ${sandboxUrl}/gates  (a keypad for each facility)

  Reservations to find again (${siteUrl}/find-reservation)
${table([['Facility', 'Last name', 'Last 4', 'Code', ''], ...demoReservations.map((reservation) => [reservation.location, reservation.lastName, reservation.last4, reservation.code, reservation.note])])}

  Tenants with an online account
${table([['Username', 'Password', 'Facility', ''], ...demoLogins.map((login) => [login.username, login.password, login.where, login.note])])}

  Tenants without one
${table([['Name', 'Last 4', 'E-mail', 'Facility', 'Unit', ''], ...demoGuests.map((guest) => [guest.who, guest.last4, guest.email, guest.where, guest.unit, guest.note])])}

  The office (${siteUrl}/office), second factor for each staff member: authenticator app with the key
    ${demoTotpSecret}
${table([['E-mail', 'Password', 'Role', 'For'], ...demoStaffLogins.map((login) => [login.email, login.password, login.role, login.where])])}

  Personal links that pay
${table(Object.values(demoLinks).map(({ title, path }) => [title, `${siteUrl}${path}`]))}

  Appointments with the property manager
${table(demoAppointments.map(({ title, path }) => [title, `${siteUrl}${path}`]))}

`
}
