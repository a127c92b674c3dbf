export function HiddenLeaseFields({ named }: { named: Record<string, string> }) {
  return Object.entries(named).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
