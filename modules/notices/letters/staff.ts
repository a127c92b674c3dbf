import { type Notice, type NoticeBrand, writeNotice } from '../letter.tsx'

export interface StaffInvitedFacts {
  brand: NoticeBrand
  name: string
  /** 'Manager (ATL01)' */
  roles: string
  joinUrl: string
  days: number
}

export const staffInvited = (facts: StaffInvitedFacts): Notice =>
  writeNotice(facts.brand, {
    subject: `Your invitation to the ${facts.brand.name} office`,
    heading: 'You are invited to the office',
    preview: `Choose a password within ${facts.days} days.`,
    phone: '',
    blocks: [
      `${facts.name}, you have been given access to the office of ${facts.brand.name}: ${facts.roles}.`,
      'Choose a password and add a second factor. Have the device at hand with which you will sign in.',
      { button: 'Accept the invitation', href: facts.joinUrl },
      `The link works once and for ${facts.days} days. If you do not expect it, do nothing.`,
    ],
  })

export interface StaffNewDeviceFacts {
  brand: NoticeBrand
  name: string
  /** 'November 22, 2026 at 6:12 PM UTC' */
  when: string
  address: string
  agent: string
  meUrl: string
}

export const staffNewDevice = (facts: StaffNewDeviceFacts): Notice =>
  writeNotice(facts.brand, {
    subject: `New sign-in to the ${facts.brand.name} office`,
    heading: 'A new device signed in',
    preview: `On ${facts.when}.`,
    phone: '',
    blocks: [
      `${facts.name}, somebody signed in to the office as you on ${facts.when}, from ${facts.address}, with a browser that you had not used before.`,
      `The browser calls itself: ${facts.agent || 'unknown'}`,
      'If it was you, there is nothing to do. If not, end your sign-ins at once and tell the owner.',
      { button: 'See my sign-ins', href: facts.meUrl },
    ],
  })
