import type { SitePageName } from '../modules/facilities/rules/operator-text-pages.ts'
import { timeToMoveIn } from '../modules/reservations/texts/reserve.ts'

/** Texts of the demo operator's site pages. The site adds its own facts (stored data, contact) below them. */
export const sitePageTexts: Record<SitePageName, string> = {
  privacy: `
<p>We rent storage. We ask for what that takes, use it for that, and sell it to no one.</p>
<h2>Who sees it</h2>
<ul>
<li>Our own people, each as far as their work needs it. What they look up and change is recorded with their name.</li>
<li>Our card provider and our bank, when you pay.</li>
<li>The companies that deliver our e-mail and text messages.</li>
<li>Your insurer and the law, where a claim or a court order asks for it.</li>
</ul>
<h2>Text messages</h2>
<p>We text you only about your reservation, your gate code and your unit, and only if you agreed to it where you gave us your number.
Message and data rates may apply. Reply STOP to any of them, turn them off in your profile or tell us, and they end at once; after
STOP, reply START and they come again. Your gate code is then sent by e-mail.</p>
<h2>Children</h2>
<p>We rent to adults only and do not knowingly keep data about anyone under 18, other than a birthday in a rental agreement.</p>`,
  terms: `
<p>These terms are for using this website. Renting a unit has terms of its own: the rental agreement, which you read before you sign
it and can download at any time afterwards.</p>
<h2>Prices</h2>
<p>The price you see is the price you pay: what is due today and what comes every 30 days, with every fee and tax in it. A price is
yours once you have reserved at it. Until then it can change with the next page you open.</p>
<h2>Reservations</h2>
<p>Reserving is free and needs no card. We hold the unit until the day you chose, as your confirmation says. After that it is let to
the next person.</p>
<h2>Your account</h2>
<p>Keep your password and your gate code to yourself. What is done with them counts as done by you until you tell us otherwise; call
us and we end every sign-in and give you a new code.</p>
<h2>Fair use</h2>
<p>Do not try to reach other people’s data, to hold units that you do not want, or to load the site with programs. We may close what
is used for that.</p>
<h2>When something is wrong</h2>
<p>If this site shows a price that is plainly a mistake, we tell you before we charge anything, and you may leave without cost.</p>`,
  accessibility: `
<p>Everyone should be able to rent and leave a unit by themselves. We build this site to the Web Content Accessibility Guidelines
2.2, level AA.</p>
<ul>
<li>Everything works with the keyboard alone, and with a screen reader.</li>
<li>Text can be made twice as large, and pages fit a screen of 320 pixels.</li>
<li>Colors keep their contrast in light and dark. Nothing is said by color alone.</li>
<li>A lease can be read on the page, not only as a PDF, and signed by typing your name.</li>
</ul>
<h2>At the facilities</h2>
<p>Each facility’s page says which units have drive-up access, an elevator or stairs. If a gate, a keypad or a door does not work for
you, call its number: a person answers and finds another way.</p>
<h2>If something does not work</h2>
<p>Tell us what you tried and on which page. We answer within two business days, and do by phone what the site did not let you do, at
the same price.</p>`,
  faq: `
<h2>Is anyone at the facility?</h2>
<p>No. You rent here, open the gate with your code and put your own lock on the door. Our people answer the phone.</p>
<h2>What do I need to rent?</h2>
<p>A driver’s license or other ID, an e-mail address, a phone, and a card or bank account. It takes ${timeToMoveIn}.</p>
<h2>When does my gate code work?</h2>
<p>As soon as you have paid. It stands on the last page, in an e-mail, and in your account under My Units.</p>
<h2>How long do I have to stay?</h2>
<p>Thirty days. After that you may leave on any day: schedule your move-out in your account.</p>
<h2>Do I need insurance?</h2>
<p>Yes. Take our protection plan, or show us the policy you have; a homeowner’s or renter’s policy often covers storage.</p>
<h2>Can I get in at night?</h2>
<p>Within the gate hours on your facility’s page. Some facilities sell 24-hour access.</p>
<h2>What happens if I pay late?</h2>
<p>Your agreement says which fee comes on which day, and from when the gate stays closed to you. Call us before that: we would rather
find a way than change a lock.</p>
<h2>Can I change to another size?</h2>
<p>Yes, at the same facility, from your unit’s page. What you have paid for days you do not use goes to the new unit.</p>`,
  contact: `
<p>Locked out, double charged, or just unsure of the size? Call us. Outside our hours, write: we answer the next morning.</p>`,
}
