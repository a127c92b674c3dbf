import { allFieldValues, type FormField } from '../../domain/forms/all-values-of-field.ts'

/** Reads the rows of role and scope in the submitted staff form. Leaves out the last row if it is untouched. */
export function readSubmittedRoles(fields: readonly FormField[]): { role: string; scope: string }[] {
  const scopes = allFieldValues(fields, 'scope')
  return allFieldValues(fields, 'role')
    .map((role, index) => ({ role, scope: scopes[index] ?? 'all' }))
    .filter(({ role, scope }, index, rows) => role !== '' || scope !== 'all' || index < rows.length - 1)
}

/** Fields for a staff member's roles and their scopes: a row for each role and an empty one. */
export function RoleFields({
  roles,
  submitted = roles,
  scopes,
  names,
}: {
  /** Roles that the staff member has. */
  roles: { role: string; scope: string }[]
  /** Roles submitted in a refused or stored form, to show instead. */
  submitted?: { role: string; scope: string }[] | undefined
  /** Scopes to choose from; null when they are typed. */
  scopes: { value: string; label: string }[] | null
  names: (readonly [string, string])[]
}) {
  return (
    <fieldset className="mt-[1.35rem] max-w-[34rem]">
      <legend className="font-semibold">Roles</legend>
      {scopes === null && (
        <p className="hint">For: all, a state as GA, or facilities by their codes as ATL01, ATL02.</p>
      )}
      {[...submitted, undefined].map((row, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place alone
          key={index}
          className={`mb-2 grid grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))] gap-2 ${index === 0 ? 'mt-2' : 'mt-4'}`}
        >
          <select className="input" name="role" aria-label={`Role ${index + 1}`} defaultValue={row?.role ?? ''}>
            <option value="">
              {index < roles.length ? 'Take this role away' : index === 0 ? 'Choose a role' : 'No further role'}
            </option>
            {names.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {scopes === null ? (
            <input
              className="input"
              name="scope"
              aria-label={`Role ${index + 1} is for`}
              // A typed scope has no prefix, such as 'state:' or 'facility:'.
              defaultValue={(row?.scope ?? 'all').replace(/^\w+:/, '')}
              autoComplete="off"
            />
          ) : (
            <select
              className="input"
              name="scope"
              aria-label={`Role ${index + 1} is for`}
              defaultValue={row?.scope ?? 'all'}
            >
              {scopes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </div>
      ))}
    </fieldset>
  )
}
