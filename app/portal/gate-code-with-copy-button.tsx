import { useState } from 'react'
import type { CurrentGateAccess } from '../../modules/gate/rules/gate-reason-texts.ts'
import { formatGateCode } from '../../modules/gate/rules/generate-gate-code.ts'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { Icon } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'

/** Gate code with a button that copies it, and a line that says whether the gate accepts the code now. */
export function GateCode({
  code,
  access,
  unitNumber,
}: {
  code: string
  access: CurrentGateAccess
  unitNumber: string
}) {
  return (
    <>
      {code !== '' && (
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="figure num">{formatGateCode(code)}</span>
          <CopyButton code={code} unitNumber={unitNumber} />
        </span>
      )}
      <GateState {...access} />
    </>
  )
}

/** Line that shows whether the gate accepts the code now, and its hours today. */
export const GateState = ({ opens, says, today }: CurrentGateAccess) => (
  <>
    <span className={`small block ${opens ? 'text-pine' : today ? 'soft' : 'text-brick'}`}>
      <Icon name={opens ? 'key' : today ? 'clock' : 'lock'} /> {withNoBreakSpaces(says)}
    </span>
    {today !== '' && <span className="small soft block">Gate hours today: {today}</span>}
  </>
)

/** Copies the gate code. Hidden without scripts, where the code can be selected by hand. */
function CopyButton({ code, unitNumber }: { code: string; unitNumber: string }) {
  const [copied, setCopied] = useState(false)
  if (!useHydrated()) return null
  return (
    <Button
      type="button"
      kind="quiet"
      aria-label={copied ? 'Copied' : `Copy the gate code of unit ${unitNumber}`}
      onClick={() => void navigator.clipboard?.writeText(code).then(() => setCopied(true))}
    >
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  )
}
