import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import { PREPAY_PERIODS_MAX } from '../../domain/prepaid-period-limits.ts'
import { howFarAhead, periodsNamed, turnOnAutopay } from '../../modules/payments/texts/pay-ahead.ts'
import {
  chooseUnits,
  nothingDueForChosen,
  severalUnits,
  unitNamed,
  unitsChosen,
} from '../../modules/payments/texts/several-units.ts'
import { Button, LinkButton, useHydrated } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { FieldSet } from '../ui/fields/field.tsx'
import { formatCents } from '../ui/money.tsx'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { UnitRow } from './unit-row.ts'

type Payable = Pick<UnitRow, 'leaseNumber' | 'unitNumber' | 'balance' | 'isChoosable' | 'payable' | 'autopay'>

/** Returns whether the unit has a balance payable online and is not on autopay, which would charge that balance. */
const isPreselected = ({ payable, autopay }: Payable): boolean => payable && !autopay

/** Form around the unit checkboxes, with the sum of the checked units. Without scripts the next page shows the sum. */
export function PaySeveral({
  units,
  action,
  file,
  children,
}: {
  units: Payable[]
  action: string
  /** Address of the CSV file of all units. */
  file: string
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  const hydrated = useHydrated()
  const busy = useSubmitting()
  const [chosen, setChosen] = useState(() => units.filter(isPreselected).map((unit) => String(unit.leaseNumber)))
  const readChosen = useCallback(() => {
    if (form.current) setChosen(new FormData(form.current).getAll('lease').map(String))
  }, [])
  // The browser may have restored checkboxes of an earlier visit.
  useLayoutEffect(readChosen, [readChosen])
  const sum = units
    .filter((unit) => unit.payable && chosen.includes(String(unit.leaseNumber)))
    .reduce((total, { balance }) => total + balance, 0)
  const isNoneChosen = chosen.length === 0
  const setAll = (checked: boolean) => {
    for (const box of form.current?.querySelectorAll<HTMLInputElement>('input[name="lease"]') ?? [])
      box.checked = checked
    readChosen()
  }
  return (
    <Form method="post" action={action} ref={form} onChange={readChosen} preventScrollReset>
      {children}
      <div className="pay-several">
        {hydrated && (
          <p>
            <strong>{unitsChosen(chosen.length)}</strong>
            {!isNoneChosen && (
              <>
                {' '}
                · <strong className="num">{formatCents(sum)}</strong> due now
              </>
            )}
          </p>
        )}
        {units.some(({ payable }) => payable) && (
          <Button
            name="pays"
            value="dues"
            busy={busy}
            unavailable={isNoneChosen ? chooseUnits : sum === 0 ? nothingDueForChosen : null}
          >
            {hydrated ? `Pay ${formatCents(sum)}` : severalUnits}
          </Button>
        )}
        <details>
          <summary className="btn btn-secondary">More</summary>
          <div className="pay-more">
            <div className="flex flex-wrap items-end gap-3 [&>.field]:flex-1">
              <SelectField
                name="periods"
                label={howFarAhead}
                empty={null}
                options={Array.from({ length: PREPAY_PERIODS_MAX }, (_, index) => ({
                  value: String(index + 1),
                  label: periodsNamed(index + 1),
                }))}
              />
              <Button kind="secondary" name="pays" value="prepay" busy={busy}>
                Prepay
              </Button>
            </div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button kind="secondary" name="pays" value="autopay" busy={busy}>
                {turnOnAutopay}
              </Button>
              <LinkButton kind="link" href={file}>
                Download (CSV)
              </LinkButton>
              {hydrated && (
                <Button type="button" kind="link" onClick={() => setAll(isNoneChosen)}>
                  {isNoneChosen ? 'Choose all' : 'Choose none'}
                </Button>
              )}
            </div>
          </div>
        </details>
      </div>
    </Form>
  )
}

/**
 * Checkbox that selects a unit for an online payment of several units. A hidden field names the lease if it has a
 * balance due that can be paid online.
 */
export const UnitBox = ({ unit, id, children }: { unit: Payable; id?: string | undefined; children?: ReactNode }) => (
  <>
    <label className="choice">
      <input type="checkbox" id={id} name="lease" value={unit.leaseNumber} defaultChecked={isPreselected(unit)} />
      {children ?? <span className="sr">{`Choose unit ${unit.unitNumber}`}</span>}
    </label>
    {unit.payable && <input type="hidden" name="due" value={unit.leaseNumber} />}
  </>
)

/** Card above or below the unit cards with the form that pays for several units at once. */
export function PayCards({
  error,
  ...form
}: Omit<Parameters<typeof PaySeveral>[0], 'children'> & { error: string | undefined }) {
  return (
    <Card as="section" className="mt-6 max-w-text [&_.field]:mt-0">
      <PaySeveral {...form}>
        <FieldSet name="lease" legend={severalUnits} error={error}>
          {form.units
            .filter(({ isChoosable }) => isChoosable)
            .map((unit, index) => (
              <UnitBox key={unit.leaseNumber} id={index > 0 ? undefined : 'lease'} unit={unit}>
                <span className="flex flex-1 justify-between gap-4">
                  {unitNamed(unit.unitNumber)} <span className="num">{formatCents(Math.max(unit.balance, 0))}</span>
                </span>
              </UnitBox>
            ))}
        </FieldSet>
      </PaySeveral>
    </Card>
  )
}
