import { alertAndGo, siteOf } from '../site.ts'
import type { Route } from './+types/without-link'

/** `/past-due-payment` without a uuid names no payment (spec 2 §2). */
export const loader = ({ context }: Route.LoaderArgs): never => alertAndGo(siteOf(context), 'paymentNotFound', '/')
