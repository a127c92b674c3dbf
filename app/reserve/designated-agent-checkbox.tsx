import { CheckboxField } from '../ui/fields/choice.tsx'

/**
 * Checkbox for naming a designated agent, in Georgia.
 * @param isTicked true to show the checkbox ticked
 */
export function AgentBox({ isTicked }: { isTicked: boolean }) {
  return (
    <CheckboxField
      name="designated_agent"
      label="I would like to name a designated agent"
      hint="Georgia lets you name someone who also hears from us if a payment is missed. We ask for their details next."
      defaultChecked={isTicked}
    />
  )
}
