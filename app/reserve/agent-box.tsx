import { CheckboxField } from '../ui/fields/choice.tsx'

/** Georgia: whether to name an agent. @param named ticked at first */
export function AgentBox({ named }: { named: boolean }) {
  return (
    <CheckboxField
      name="designated_agent"
      label="I would like to name a designated agent"
      hint="Georgia lets you name someone who is told as well if a payment is missed. We ask for their details next."
      defaultChecked={named}
    />
  )
}
