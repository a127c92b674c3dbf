import type { Cents } from '../../domain/money.ts'
import { formatCents } from '../ui/money.tsx'

/** Returns in words what is owed on a lease: 'owes $151.37', 'owes nothing'. */
export const owesText = (balance: Cents): string => (balance > 0 ? `owes ${formatCents(balance)}` : 'owes nothing')
