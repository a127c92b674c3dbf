import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import { chooseUnits, payForUnits, severalUnits, unitNamed } from '../../modules/payments/texts/several-units.ts'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { FieldSet } from '../ui/fields/field.tsx'
import { formatCents } from '../ui/money.tsx'
import { Card } from '../ui/surfaces.tsx'
import { useBusy } from '../ui/use-submitting.ts'
import type { UnitRow } from './unit-row.ts'

type Payable = Pick<UnitRow, 'leaseNumber' | 'unitNumber' | 'balance' | 'payable' | 'autopay'>

/** Returns whether a unit is preselected: autopay charges its units by itself. */
const isChosen = ({ payable, autopay }: Payable): boolean => payable && !autopay

/** Form around the unit checkboxes, with their sum. Without scripts the next page shows the sum. */
export function PaySeveral({ units, action, children }: { units: Payable[]; action: string; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  const hydrated = useHydrated()
  const busy = useBusy()
  const [chosen, setChosen] = useState(() => units.filter(isChosen).map((unit) => String(unit.leaseNumber)))
  const read = useCallback(() => {
    if (form.current) setChosen(new FormData(form.current).getAll('lease').map(String))
  }, [])
  // The browser may have restored checkboxes of an earlier visit.
  useLayoutEffect(read, [read])
  const sum = units
    .filter((unit) => chosen.includes(String(unit.leaseNumber)))
    .reduce((total, { balance }) => total + balance, 0)
  const all = (checked: boolean) => {
    for (const box of form.current?.querySelectorAll<HTMLInputElement>('input[name="lease"]') ?? [])
      box.checked = checked
    read()
  }
  return (
    <Form method="post" action={action} ref={form} onChange={read} preventScrollReset>
      {children}
      <div className="pay-several">
        <Button busy={busy} unavailable={chosen.length === 0 ? chooseUnits : null}>
          {hydrated ? `${payForUnits(chosen.length)}, ${formatCents(sum)}` : severalUnits}
        </Button>
        {hydrated && (
          <Button type="button" kind="link" onClick={() => all(chosen.length === 0)}>
            {chosen.length === 0 ? 'Choose all' : 'Choose none'}
          </Button>
        )}
      </div>
    </Form>
  )
}

/** Checkbox of a unit. Empty when nothing is due or it cannot be paid online. */
export const UnitBox = ({ unit, children }: { unit: Payable; children?: ReactNode }) =>
  unit.payable ? (
    <label className="choice">
      <input type="checkbox" name="lease" value={unit.leaseNumber} defaultChecked={isChosen(unit)} />
      {children ?? <span className="sr">{`Pay for unit ${unit.unitNumber} with the others`}</span>}
    </label>
  ) : null

/** Form above the unit cards that pays the due units at once. */
export function PayCards({ units, action, error }: { units: Payable[]; action: string; error: string | undefined }) {
  return (
    <Card as="section" className="mt-6 max-w-text [&_.field]:mt-0">
      <PaySeveral units={units} action={action}>
        <FieldSet name="lease" legend={severalUnits} error={error}>
          {units.map((unit) => (
            <UnitBox key={unit.leaseNumber} unit={unit}>
              <span className="flex flex-1 justify-between gap-4">
                {unitNamed(unit.unitNumber)} <span className="num">{formatCents(unit.balance)}</span>
              </span>
            </UnitBox>
          ))}
        </FieldSet>
      </PaySeveral>
    </Card>
  )
}
