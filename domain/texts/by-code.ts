import * as account from './account.ts'
import * as fields from './fields.ts'
import * as moveIn from './move-in.ts'
import * as payment from './payment.ts'
import * as portal from './portal.ts'
import * as reserve from './reserve.ts'
import * as site from './site.ts'

/** Every text by its code, which an alert's cookie names. Too large for a browser: pages import their own texts. */
export const textsByCode = { ...account, ...fields, ...moveIn, ...payment, ...portal, ...reserve, ...site }

type Texts = typeof textsByCode
export type MessageCode = { [Code in keyof Texts]: Texts[Code] extends string ? Code : never }[keyof Texts]
