import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCents } from '../ui/money.tsx'
import type { receiptHead } from './load-receipt-page.ts'
import { OfficePageFrame } from './office-page-heading-and-sections.tsx'

/** Frame of the office pages that void a receipt or record its check or money order as returned. */
export function ReceiptVoidOrReturnFrame({
  head,
  title,
  failed,
  children,
}: {
  head: ReturnType<typeof receiptHead>
  title: string
  failed: boolean
  children: ReactNode
}) {
  const { brand, id, what, cents, tenant, file } = head
  return (
    <OfficePageFrame
      title={`${title} ${id}`}
      brand={brand}
      failed={failed}
      lead={
        <>
          <Link to={file}>{tenant}</Link> · <Link to={`/office/receipts/${id}`}>{what}</Link> · {formatCents(cents)}
        </>
      }
    >
      {children}
    </OfficePageFrame>
  )
}
