/** The most roles that the form takes for a person. */
const ROWS = 4

/** A row for each role: which, and for what. */
export function RoleFields({
  roles,
  scopes,
  names,
}: {
  roles: { role: string; scope: string }[]
  scopes: { value: string; label: string }[]
  names: (readonly [string, string])[]
}) {
  const rows = Array.from({ length: Math.max(roles.length, Math.min(ROWS, roles.length + 1)) }, (_, at) => roles[at])
  return (
    <fieldset className="office-roles">
      <legend>Roles</legend>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place alone
        <div key={at}>
          <select className="input" name="role" aria-label={`Role ${at + 1}`} defaultValue={row?.role ?? ''}>
            <option value="">{at < roles.length ? 'Take this role away' : 'No further role'}</option>
            {names.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select
            className="input"
            name="scope"
            aria-label={`Role ${at + 1} is for`}
            defaultValue={row?.scope ?? 'all'}
          >
            {scopes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  )
}
