import { Form } from 'react-router'
import { Icon } from '../ui/icons.tsx'

/**
 * Search box in the header of the office layout.
 * @param search search text; '' without one
 * @param at chosen location codes, comma-separated; '' for all
 */
export function SearchBox({ search, at }: { search: string; at: string }) {
  return (
    <Form
      action="/office/find"
      role="search"
      className="office-find flex max-w-[40rem] flex-[1_1_14rem] items-center gap-[0.4rem] pl-[0.6rem] max-[48rem]:order-2"
    >
      <Icon name="search" />
      <input
        key={search}
        type="search"
        className="min-h-[2.4rem] w-0 flex-1"
        name="q"
        aria-label="Find a tenant, unit or receipt"
        aria-keyshortcuts="/"
        placeholder="Name, phone, unit, gate code, e-mail, receipt"
        defaultValue={search}
        maxLength={100}
        autoComplete="off"
        required
        minLength={2}
      />
      <span aria-hidden="true" className="office-key keyless:hidden">
        /
      </span>
      {at !== '' && <input type="hidden" name="at" value={at} />}
      <button type="submit" className="btn btn-quiet btn-short">
        Find
      </button>
    </Form>
  )
}
