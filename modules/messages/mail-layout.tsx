import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from '@react-email/components'
import { type CSSProperties, createContext, useContext } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { palette } from '../facilities/rules/brand.ts'
import { phoneToCall } from './texts/facility-or-brand-phone.ts'
import { stripControlCharacters } from './texts/strip-control-characters.ts'

/** The operator as mails show it. */
export interface MessageBrand {
  name: string
  phone: string
  /** Origin of the site: 'https://latchkey.example' */
  siteUrl: string
  /** The operator's colors of buttons (`door`), their edges and their text, '#RRGGBB'; Latchkey's own by default. */
  colors?: { door?: string; doorEdge?: string; onDoor?: string }
}

export type Block =
  | string
  | { list: string[] }
  /** Rows of label and value. In a 'price' table the values are amounts, with the sum below the line. */
  | { rows: [label: string, value: string][]; sum?: [label: string, value: string]; kind?: 'price' }
  /** Code to read off or type: a gate code or reservation code. */
  | { code: string; label: string }
  | { button: string; href: string }
  /** A sentence of which some words are the link; in plain text the link's address follows the sentence. */
  | { text: string; link: string; href: string }

/** Maximum length of a code in large type: '582 914'. A longer code, such as a reservation code, is smaller. */
const MAX_LARGE_CODE_LENGTH = 7

/** Content of a mail, from which its HTML and its plain text are written. */
export interface Letter {
  subject: string
  heading: string
  /** Preview text that mail programs show beside the subject. */
  preview: string
  blocks: Block[]
  /** Phone number to call; '' or left out for the brand's. */
  phone?: string
}

/** A mail's subject, plain text and HTML. */
export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** Renders a letter as a mail. @throws RangeError for a link that is not http(s) */
export function renderMail(brand: MessageBrand, letter: Letter): RenderedMail {
  for (const block of letter.blocks) {
    if (typeof block === 'object' && 'href' in block && !/^https?:\/\//.test(block.href)) {
      throw new RangeError(`Not a link for a mail: ${block.href}`)
    }
  }
  return {
    subject: headerLine(letter.subject),
    text: plainText(brand, letter),
    // React's static renderer is used since it is synchronous; React Email's own `render` is not.
    html: `<!DOCTYPE html>${renderToStaticMarkup(
      <Colors.Provider value={{ ...palette.light, ...brand.colors }}>
        <LetterPage brand={brand} letter={letter} />
      </Colors.Provider>,
    )}`,
  }
}

/** Returns a text on one line of at most 150 characters, so that a name cannot add a header. */
function headerLine(text: string): string {
  const line = stripControlCharacters(text).trim()
  // The cut may split a surrogate pair, whose first half is then removed.
  return line.length > 150 ? `${line.slice(0, 149).replace(/[\ud800-\udbff]$/, '')}…` : line
}

function plainBlock(block: Block): string {
  if (typeof block === 'string') return block
  if ('list' in block) return block.list.map((item) => `- ${item}`).join('\n')
  if ('rows' in block) return [...block.rows, ...(block.sum ? [block.sum] : [])].map((row) => row.join(': ')).join('\n')
  if ('code' in block) return `${block.label}: ${block.code}`
  if ('text' in block) return `${block.text.replace(/\.$/, ':')} ${block.href}`
  return `${block.button}:\n${block.href}`
}

function plainText(brand: MessageBrand, letter: Letter): string {
  const phone = phoneToCall(brand, letter)
  const foot = `-- \n${brand.name}\n${phone ? `Questions? Call ${phone}.\n` : ''}${brand.siteUrl}`
  return `${[letter.heading, ...letter.blocks.map(plainBlock), foot].join('\n\n')}\n`
}

/** Keeps a date such as 'December 20, 2026' on one line. */
const withWholeDates = (text: string): string =>
  text.replace(/[A-Z][a-z]+ \d{1,2}, \d{4}/g, (date) => date.replaceAll(' ', '\u00a0'))

/** Keeps 'December 20,' on one line in headings, where a whole date may not fit. */
const withDaysOfMonths = (text: string): string => text.replace(/([A-Z][a-z]+) (\d{1,2}, \d{4})/g, '$1\u00a0$2')

const ink = '#14191C'
const soft = '#5A646A'
const line = '#E3DFD5'
const wash = '#F3EFE4'
/** Colors of the letter's operator. */
const Colors = createContext<Record<'door' | 'doorEdge' | 'onDoor', string>>(palette.light)
const textFont = "Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const titleFont = "'Familjen Grotesk', Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Style of text in mails: a word wider than a narrow phone may break anywhere. */
const breaking: CSSProperties = { overflowWrap: 'anywhere', wordBreak: 'break-word' }
const paragraph: CSSProperties = { ...breaking, margin: '0 0 16px', fontSize: 16, lineHeight: '25px', color: ink }
const cell: CSSProperties = { padding: '9px 0', fontSize: 15, lineHeight: '22px', verticalAlign: 'top' }
const padded: CSSProperties = { padding: '0 28px' }

function LetterPage({ brand, letter }: { brand: MessageBrand; letter: Letter }) {
  const phone = phoneToCall(brand, letter)
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{headerLine(letter.subject)}</title>
      </Head>
      <Body style={{ margin: 0, padding: '24px 12px', backgroundColor: '#FBFAF6', fontFamily: textFont, color: ink }}>
        <Preview>{letter.preview}</Preview>
        <Container style={{ maxWidth: 600 }}>
          <Section style={{ padding: '0 4px', marginBottom: 14 }}>
            <Row>
              <Column style={{ width: 38 }}>
                <DoorMark />
              </Column>
              <Column style={{ fontFamily: titleFont, fontSize: 20, fontWeight: 700, color: ink }}>{brand.name}</Column>
            </Row>
          </Section>
          <table
            role="presentation"
            width="100%"
            cellPadding={0}
            cellSpacing={0}
            style={{
              backgroundColor: '#FFFFFF',
              border: `1px solid ${line}`,
              borderRadius: 14,
              borderCollapse: 'separate',
              overflow: 'hidden',
            }}
          >
            <tbody>
              <tr>
                <td>
                  <DoorBand />
                  <div style={{ ...padded, paddingTop: 28, paddingBottom: 12 }}>
                    <Heading
                      as="h1"
                      style={{
                        ...breaking,
                        margin: '0 0 14px',
                        fontFamily: titleFont,
                        fontSize: 28,
                        lineHeight: '34px',
                        fontWeight: 700,
                        letterSpacing: '-0.3px',
                      }}
                    >
                      {withDaysOfMonths(letter.heading)}
                    </Heading>
                    {letter.blocks.map((block, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: written once, never reordered
                      <BlockView key={index} block={block} />
                    ))}
                  </div>
                </td>
              </tr>
            </tbody>
          </table>
          <Section style={{ padding: '0 4px', marginTop: 18 }}>
            <Text style={{ ...breaking, margin: 0, fontSize: 14, lineHeight: '22px', color: soft }}>
              {phone && (
                <>
                  Questions? Call{' '}
                  <Link href={`tel:+1${phone.replace(/\D/g, '')}`} style={{ color: soft, textDecoration: 'underline' }}>
                    {phone}
                  </Link>
                  .{' '}
                </>
              )}
              <Link href={brand.siteUrl} style={{ color: soft, textDecoration: 'underline' }}>
                {brand.siteUrl.replace(/^https?:\/\//, '')}
              </Link>
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

function LinkWithin({ text, link, href }: { text: string; link: string; href: string }) {
  const [before = '', ...after] = text.split(link)
  return (
    <Text style={paragraph}>
      {before}
      <Link href={href} style={{ color: ink, textDecoration: 'underline' }}>
        {link}
      </Link>
      {after.join(link)}
    </Text>
  )
}

function BlockView({ block }: { block: Block }) {
  const { door, doorEdge, onDoor } = useContext(Colors)
  if (typeof block === 'string') return <Text style={paragraph}>{withWholeDates(block)}</Text>
  if ('list' in block) {
    return (
      <ul style={{ margin: '0 0 16px', padding: '0 0 0 20px', color: ink }}>
        {block.list.map((item) => (
          <li key={item} style={{ ...breaking, fontSize: 16, lineHeight: '25px', marginBottom: 6 }}>
            {withWholeDates(item)}
          </li>
        ))}
      </ul>
    )
  }
  if ('code' in block) {
    return (
      <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={{ margin: '4px 0 20px' }}>
        <tbody>
          <tr>
            <td style={{ backgroundColor: wash, borderRadius: 12, padding: '16px 20px' }}>
              <div style={{ fontSize: 14, lineHeight: '20px', color: soft }}>{block.label}</div>
              <div
                style={{
                  fontFamily: titleFont,
                  // A reservation code is smaller, so that it fits on one line of a narrow phone.
                  fontSize: block.code.length > MAX_LARGE_CODE_LENGTH ? 24 : 34,
                  lineHeight: '42px',
                  fontWeight: 700,
                  letterSpacing: block.code.length > MAX_LARGE_CODE_LENGTH ? '1px' : '2px',
                  color: ink,
                  wordBreak: 'break-word',
                }}
              >
                {block.code}
              </div>
            </td>
          </tr>
        </tbody>
      </table>
    )
  }
  if ('button' in block) {
    return (
      <div style={{ margin: '8px 0 24px' }}>
        <Button
          href={block.href}
          style={{
            backgroundColor: door,
            borderBottom: `2px solid ${doorEdge}`,
            borderRadius: 12,
            boxSizing: 'border-box',
            color: onDoor,
            display: 'block',
            fontSize: 17,
            fontWeight: 600,
            padding: '14px 24px',
            textAlign: 'center',
          }}
        >
          {block.button}
        </Button>
      </div>
    )
  }
  if ('text' in block) return <LinkWithin {...block} />
  const isPriceTable = block.kind === 'price'
  const value: CSSProperties = isPriceTable
    ? { ...cell, textAlign: 'right', whiteSpace: 'nowrap', paddingLeft: 16, fontVariantNumeric: 'tabular-nums' }
    : { ...cell, ...breaking }
  return (
    <table
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      style={{ margin: '4px 0 20px', borderCollapse: 'collapse', color: ink }}
    >
      <tbody>
        {block.rows.map(([label, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same label
          <tr key={index} style={index > 0 ? { borderTop: `1px solid ${line}` } : undefined}>
            <th
              scope="row"
              style={{
                ...cell,
                textAlign: 'left',
                fontWeight: 400,
                color: isPriceTable ? ink : soft,
                ...(isPriceTable ? {} : { width: '36%', paddingRight: 12 }),
              }}
            >
              {label}
            </th>
            <td style={value}>{withWholeDates(text)}</td>
          </tr>
        ))}
        {block.sum && (
          <tr style={{ borderTop: `2px solid ${ink}` }}>
            <th scope="row" style={{ ...cell, textAlign: 'left', fontWeight: 700, fontSize: 18 }}>
              {block.sum[0]}
            </th>
            <td style={{ ...value, fontWeight: 700, fontSize: 18 }}>{block.sum[1]}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

/** Latchkey's mark, a closed roll-up door, made of colored boxes because many mail readers block pictures. */
function DoorMark() {
  const { door } = useContext(Colors)
  const slat: CSSProperties = { height: 2, lineHeight: '2px', fontSize: 0, backgroundColor: ink }
  return (
    <div
      aria-hidden="true"
      style={{
        width: 26,
        height: 26,
        boxSizing: 'border-box',
        padding: '4px 3px 0',
        backgroundColor: door,
        border: `3px solid ${ink}`,
        borderRadius: 7,
      }}
    >
      <div style={slat} />
      <div style={{ ...slat, marginTop: 3 }} />
      <div style={{ width: 4, height: 4, margin: '3px auto 0', backgroundColor: ink, borderRadius: 2, fontSize: 0 }} />
    </div>
  )
}

function DoorBand() {
  const { door, doorEdge } = useContext(Colors)
  const slat: CSSProperties = {
    margin: 0,
    borderTop: 0,
    borderBottom: `1px solid ${doorEdge}`,
    height: 8,
    backgroundColor: door,
  }
  return (
    <div aria-hidden="true">
      <Hr style={slat} />
      <Hr style={slat} />
      <Hr style={slat} />
    </div>
  )
}
