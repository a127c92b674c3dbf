import * as account from '../../domain/texts/account.ts'
import * as fields from '../../domain/texts/field-errors.ts'
import * as site from '../../domain/texts/general-errors.ts'
import * as payment from '../../domain/texts/payment.ts'
import * as portal from '../../modules/leases/texts/portal.ts'
import * as moveIn from '../../modules/move-in/texts/move-in.ts'
import * as reserve from '../../modules/reservations/texts/reserve.ts'

/**
 * Texts by the code with which an alert's cookie names them. Too large for the browser, whose pages import their own
 * texts.
 */
export const textsByCode = { ...account, ...fields, ...moveIn, ...payment, ...portal, ...reserve, ...site }

type Texts = typeof textsByCode
export type MessageCode = { [Code in keyof Texts]: Texts[Code] extends string ? Code : never }[keyof Texts]
