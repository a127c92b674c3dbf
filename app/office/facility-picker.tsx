import { Form, useLocation } from 'react-router'

const pickerClass = 'min-w-0 max-[48rem]:order-3'

/** Facility filter of the office pages. The choice is in the address, so that Back and a shared link keep it. */
export function FacilityPicker({
  chosen,
  options,
  count,
  search,
}: {
  chosen: string[]
  /** Facilities to choose from; empty when there are too many for a list, and codes are typed. */
  options: { code: string; name: string }[]
  count: number
  /** Search text of the page; '' without one. It stays when the choice changes. */
  search: string
}) {
  const { pathname } = useLocation()
  if (count < 2) return <span className={pickerClass}>{options[0]?.name}</span>
  const [first] = chosen
  if (options.length === 0)
    return (
      <Form action={pathname} className={pickerClass} key={chosen.join()}>
        <input
          name="at"
          aria-label="Facilities, by their codes"
          className="input"
          placeholder={`All ${count} facilities`}
          defaultValue={chosen.join(', ')}
          autoComplete="off"
        />
        {search !== '' && <input type="hidden" name="q" value={search} />}
      </Form>
    )
  return (
    <Form action={pathname} className={pickerClass} onChange={(event) => event.currentTarget.requestSubmit()}>
      <select
        name="at"
        aria-label="Facilities"
        className="min-h-10 max-w-[min(16rem,100%)] rounded-control border border-edge bg-card px-2"
        defaultValue={chosen.length === 1 ? first : ''}
        key={chosen.join()}
      >
        <option value="">{chosen.length > 1 ? `${chosen.length} facilities` : `All ${count} facilities`}</option>
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {code} · {name}
          </option>
        ))}
      </select>
      {search !== '' && <input type="hidden" name="q" value={search} />}
      <noscript>
        <button type="submit" className="btn btn-quiet btn-short">
          Show
        </button>
      </noscript>
    </Form>
  )
}
