import { type Kysely, sql } from 'kysely'
import { createTable, index } from './table.ts'

/** The first tables; those and their columns that came since stand in their own migrations. */
export const columns = {
  settings: { name: 'text', value: 'text', updated_at: 'whole' },
  states: { short_name: 'text', full_name: 'text', map_img: 'text', general_contact_number: 'text' },
  locations: {
    location_code: 'text',
    facility_id: 'whole',
    name: 'text',
    slug: 'text',
    address: 'text',
    city: 'text',
    city_slug: 'text',
    state: 'text',
    zip: 'text',
    phone: 'text',
    reservation_email: 'text',
    lat: 'real',
    lng: 'real',
    time_zone: 'text',
    photo: 'text',
    front: 'whole',
    description: 'text',
    directions: 'text',
    office_hours: 'text',
    gate_hours: 'text',
    features: 'text',
    sboa: 'flag',
    sboa_brochure: 'text',
    reservation_window: 'whole',
    cc_fee: 'flag',
    allow_ach: 'flag',
    facility_map_enabled: 'flag',
    coming_soon: 'flag',
    feedback_link: 'text',
    special_instruction_after_rental: 'text',
    rent_tax_rate: 'whole',
    insurance_tax_rate: 'whole',
    fee_tax_rate: 'whole',
    auction_after_days: 'whole',
  },
  location_contents: {
    location_code: 'text',
    website_move_in_completion_screen: 'text',
    fee_for_24hr_access: 'whole?',
  },
  unit_types: {
    location_code: 'text',
    unit_type_id: 'whole',
    unit_type_code: 'text',
    category_name: 'text',
    length: 'real',
    breadth: 'real',
    rent: 'whole',
    internet_price: 'whole',
    internet_price_available: 'flag',
    description: 'text',
    detailed_description: 'text',
    features: 'text',
  },
  units: {
    location_code: 'text',
    unit_id: 'whole',
    unit_number: 'text',
    unit_type_id: 'whole',
    status: 'text',
    held_by: 'text?',
    held_until: 'whole?',
    floor_no: 'whole',
    left_coordinate: 'real?',
    top_coordinate: 'real?',
    length: 'real',
    width: 'real',
    rotate: 'real',
  },
  map_fixtures: {
    location_code: 'text',
    fixture_id: 'whole',
    category_name: 'text',
    floor_no: 'whole',
    left_coordinate: 'real',
    top_coordinate: 'real',
    length: 'real',
    width: 'real',
    rotate: 'real',
    system_rotation: 'real',
  },
  discounts: {
    location_code: 'text',
    discount_id: 'whole',
    unit_type_id: 'whole?',
    description: 'text',
    amount: 'whole',
    type: 'whole',
    displayable: 'flag',
    revenue_managed: 'flag',
    available: 'flag',
  },
  insurance_schemes: {
    location_code: 'text',
    scheme_id: 'whole',
    scheme_name: 'text',
    coverage: 'whole',
    premium: 'whole',
    terminology: 'text',
  },
  fees: {
    location_code: 'text',
    fee_id: 'whole',
    unit_type_id: 'whole?',
    description: 'text',
    amount: 'whole',
    charged: 'text',
  },
  accounts: {
    account_id: 'text',
    username: 'text',
    email: 'text',
    password_hash: 'text',
    question_id: 'whole',
    security_answer_hash: 'text',
    created_at: 'whole',
  },
  tenants: {
    location_code: 'text',
    tenant_id: 'whole',
    account_id: 'text?',
    first: 'text',
    middle: 'text',
    last: 'text',
    last_key: 'text',
    company: 'text',
    email: 'text',
    email_key: 'text',
    cell_phone: 'text',
    home_phone: 'text',
    work_phone: 'text',
    address: 'text',
    city: 'text',
    state: 'text',
    zip: 'text',
    company_address: 'text',
    company_city: 'text',
    company_state: 'text',
    company_zip: 'text',
    company_phone: 'text',
    company_email: 'text',
    active_military: 'flag',
    military: 'text',
    identity_sealed: 'text?',
    grant_online_access: 'flag',
    created_at: 'whole',
  },
  tenant_notes: {
    note_id: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole?',
    note: 'text',
    created_at: 'whole',
  },
  sign_ins: {
    token_hash: 'text',
    kind: 'text',
    account_id: 'text?',
    location_code: 'text?',
    tenant_id: 'whole?',
    agent: 'text',
    address: 'text',
    created_at: 'whole',
    expires_at: 'whole',
    ended_at: 'whole?',
  },
  rental_drafts: {
    draft_id: 'text',
    location_code: 'text',
    unit_type_id: 'whole',
    tenant_id: 'whole?',
    reservation_code: 'text?',
    existing_tenant: 'flag',
    rent_now: 'flag',
    answers: 'text',
    sealed_answers: 'text?',
    payment_retries: 'whole',
    version: 'whole',
    created_at: 'whole',
    touched_at: 'whole',
  },
  reservations: {
    location_code: 'text',
    reservation_code: 'text',
    unit_id: 'whole',
    unit_number: 'text',
    unit_type_id: 'whole',
    tenant_id: 'whole',
    status: 'text',
    discount_id: 'whole',
    street_rent: 'whole',
    rent: 'whole',
    reservation_date: 'text',
    required_date: 'text',
    hold_until: 'whole',
    hold_extended: 'flag',
    lease_number: 'whole?',
    created_at: 'whole',
  },
  prospects: {
    uuid: 'text',
    res_code: 'text',
    location_code: 'text',
    tenant_id: 'whole',
    site_name: 'text',
    email_address: 'text',
    cell_phone: 'text',
    res_status: 'text',
    lease_status: 'text',
    reservation_date: 'text',
    required_date: 'text',
    move_in_date: 'text?',
    extra_data: 'text',
    created_at: 'whole',
  },
  quotes: {
    quote_id: 'text',
    location_code: 'text',
    draft_id: 'text?',
    charges: 'text',
    total: 'whole',
    created_at: 'whole',
    expires_at: 'whole',
  },
  leases: {
    location_code: 'text',
    lease_number: 'whole',
    tenant_id: 'whole',
    unit_id: 'whole',
    unit_number: 'text',
    unit_type_id: 'whole',
    reservation_code: 'text?',
    status: 'text',
    move_in_date: 'text',
    paid_through: 'text',
    rent: 'whole',
    insurance_status: 'whole',
    insurance_scheme_id: 'whole',
    insurance_premium: 'whole',
    insurance_notes: 'text',
    discount_id: 'whole',
    autopay: 'flag',
    autopay_method: 'text',
    autopay_sealed: 'text?',
    autopay_label: 'text',
    autopay_consent_at: 'whole?',
    gate_code: 'text',
    combo_code: 'text',
    auction_prepped: 'flag',
    scheduled_move_out: 'text?',
    move_out_reason: 'whole?',
    terms_required: 'flag',
    details: 'text',
    imported: 'text?',
    document_id: 'text?',
    order_id: 'text?',
    created_at: 'whole',
  },
  lease_fees: {
    location_code: 'text',
    lease_number: 'whole',
    fee_id: 'whole',
    description: 'text',
    amount: 'whole',
  },
  gate_codes: {
    location_code: 'text',
    gate_code: 'text',
    tenant_id: 'whole',
    lease_number: 'whole?',
    time_zone_name: 'text',
    active: 'flag',
    created_at: 'whole',
  },
  lease_documents: {
    document_id: 'text',
    location_code: 'text',
    draft_id: 'text?',
    lease_number: 'whole?',
    file_key: 'text',
    hash_before: 'text',
    hash_after: 'text',
    evidence: 'text',
    void: 'flag',
    created_at: 'whole',
  },
  ledger_entries: {
    entry_id: 'text',
    location_code: 'text',
    lease_number: 'whole',
    kind: 'text',
    cents: 'whole',
    description: 'text',
    once: 'text',
    order_id: 'text?',
    period_start: 'text?',
    period_end: 'text?',
    posted_on: 'text',
    created_at: 'whole',
  },
  payments: {
    order_id: 'text',
    location_code: 'text',
    payer: 'text',
    draft_id: 'text?',
    tenant_id: 'whole?',
    lease_number: 'whole?',
    state: 'text',
    amount: 'whole',
    quote_id: 'text?',
    plan: 'text',
    autopay: 'flag',
    method: 'text',
    session_token: 'text?',
    pay_page_url: 'text?',
    transaction_id: 'text?',
    response_code: 'text?',
    response_text: 'text?',
    approved_amount: 'whole?',
    card_brand: 'text?',
    masked_card: 'text?',
    exp_month: 'text?',
    exp_year: 'text?',
    card_name: 'text?',
    card_address: 'text?',
    card_zip: 'text?',
    alias_sealed: 'text?',
    receipt_id: 'text?',
    trouble: 'text?',
    created_at: 'whole',
    updated_at: 'whole',
    captured_at: 'whole?',
    posted_at: 'whole?',
  },
  refund_tasks: {
    order_id: 'text',
    location_code: 'text',
    cents: 'whole',
    reason: 'text',
    state: 'text',
    attempts: 'whole',
    last_error: 'text?',
    created_at: 'whole',
    done_at: 'whole?',
  },
  jobs: {
    job_id: 'text',
    kind: 'text',
    once: 'text',
    payload: 'text',
    state: 'text',
    run_at: 'whole',
    claimed_until: 'whole?',
    attempts: 'whole',
    last_error: 'text?',
    created_at: 'whole',
    done_at: 'whole?',
  },
  mailbox: {
    message_id: 'text',
    channel: 'text',
    recipient: 'text',
    subject: 'text',
    text: 'text',
    html: 'text',
    attachments: 'text',
    created_at: 'whole',
  },
  limits: { key: 'text', points: 'whole', expires_at: 'whole' },
  counters: { location_code: 'text', kind: 'text', next: 'whole' },
  content_version: { id: 'whole', version: 'whole' },
  idempotency: {
    key: 'text',
    caller: 'text',
    request_hash: 'text',
    status: 'whole',
    answer: 'text',
    created_at: 'whole',
  },
} as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await settingsAndFacilities(db)
  await people(db)
  await fromReservationToLease(db)
  await money(db)
  await machinery(db)
}

async function settingsAndFacilities(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'settings', columns.settings, { primary: 'name' })
  await createTable(db, 'states', columns.states, { primary: 'short_name' })
  await createTable(db, 'locations', columns.locations, {
    primary: 'location_code',
    unique: ['facility_id', 'state, city_slug, slug'],
  })
  // Nearby search: a box on the latitude, then the distance.
  await index(db, 'locations', 'lat, lng')
  const ofLocation = ['location_code → locations']
  await createTable(db, 'location_contents', columns.location_contents, {
    primary: 'location_code',
    within: ofLocation,
  })
  await createTable(db, 'unit_types', columns.unit_types, {
    primary: 'location_code, unit_type_id',
    within: ofLocation,
  })
  await createTable(db, 'units', columns.units, {
    primary: 'location_code, unit_id',
    unique: ['location_code, unit_number'],
    within: ['location_code, unit_type_id → unit_types'],
  })
  await index(db, 'units', 'location_code, unit_type_id, status')
  await index(db, 'units', 'status, held_until')
  await createTable(db, 'map_fixtures', columns.map_fixtures, {
    primary: 'location_code, fixture_id',
    within: ofLocation,
  })
  await createTable(db, 'discounts', columns.discounts, {
    primary: 'location_code, discount_id',
    within: ofLocation,
  })
  await createTable(db, 'insurance_schemes', columns.insurance_schemes, {
    primary: 'location_code, scheme_id',
    within: ofLocation,
  })
  await createTable(db, 'fees', columns.fees, { primary: 'location_code, fee_id', within: ofLocation })
}

async function people(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'accounts', columns.accounts, { primary: 'account_id', unique: ['username'] })
  await index(db, 'accounts', 'email')
  await createTable(db, 'tenants', columns.tenants, {
    primary: 'location_code, tenant_id',
    within: ['location_code → locations', 'account_id → accounts'],
  })
  await index(db, 'tenants', 'email_key')
  await index(db, 'tenants', 'cell_phone')
  await index(db, 'tenants', 'location_code, last_key')
  await index(db, 'tenants', 'account_id')
  await createTable(db, 'tenant_notes', columns.tenant_notes, {
    primary: 'note_id',
    within: ['location_code, tenant_id → tenants'],
  })
  await index(db, 'tenant_notes', 'location_code, tenant_id, created_at')
  await createTable(db, 'sign_ins', columns.sign_ins, { primary: 'token_hash', within: ['account_id → accounts'] })
  await index(db, 'sign_ins', 'account_id')
  await index(db, 'sign_ins', 'expires_at')
}

async function fromReservationToLease(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'rental_drafts', columns.rental_drafts, {
    primary: 'draft_id',
    within: ['location_code → locations'],
  })
  await index(db, 'rental_drafts', 'location_code, reservation_code')
  await index(db, 'rental_drafts', 'touched_at')
  await createTable(db, 'reservations', columns.reservations, {
    primary: 'location_code, reservation_code',
    within: ['location_code, unit_id → units', 'location_code, tenant_id → tenants'],
  })
  await index(db, 'reservations', 'location_code, unit_id', {
    unique: true,
    where: "status = 'active'",
    name: 'one_active_reservation_per_unit',
  })
  await index(db, 'reservations', 'location_code, tenant_id')
  await index(db, 'reservations', 'status, hold_until')
  await createTable(db, 'prospects', columns.prospects, {
    primary: 'uuid',
    unique: ['res_code'],
    within: ['location_code → locations'],
  })
  await index(db, 'prospects', 'location_code, tenant_id')
  await createTable(db, 'quotes', columns.quotes, { primary: 'quote_id', within: ['location_code → locations'] })
  await index(db, 'quotes', 'draft_id')
  await index(db, 'quotes', 'expires_at')
  await createTable(db, 'leases', columns.leases, {
    primary: 'location_code, lease_number',
    within: ['location_code, tenant_id → tenants', 'location_code, unit_id → units'],
  })
  await index(db, 'leases', 'location_code, unit_id', {
    unique: true,
    where: "status <> 'Closed'",
    name: 'one_live_lease_per_unit',
  })
  await index(db, 'leases', 'location_code, reservation_code', {
    unique: true,
    where: 'reservation_code is not null',
    name: 'one_lease_per_reservation',
  })
  await index(db, 'leases', 'order_id', {
    unique: true,
    where: 'order_id is not null',
    name: 'one_lease_per_order',
  })
  await index(db, 'leases', 'location_code, tenant_id')
  await index(db, 'leases', 'location_code, paid_through')
  const ofLease = ['location_code, lease_number → leases']
  await createTable(db, 'lease_fees', columns.lease_fees, {
    primary: 'location_code, lease_number, fee_id',
    within: ofLease,
  })
  await createTable(db, 'gate_codes', columns.gate_codes, { within: ['location_code, tenant_id → tenants'] })
  await index(db, 'gate_codes', 'location_code, gate_code', {
    unique: true,
    where: 'active = 1',
    name: 'one_live_gate_code_per_location',
  })
  await index(db, 'gate_codes', 'location_code, tenant_id')
  await createTable(db, 'lease_documents', columns.lease_documents, {
    primary: 'document_id',
    within: ['location_code → locations'],
  })
  await index(db, 'lease_documents', 'location_code, lease_number')
  await index(db, 'lease_documents', 'draft_id')
  await createTable(db, 'ledger_entries', columns.ledger_entries, {
    primary: 'entry_id',
    unique: ['location_code, lease_number, once'],
    within: ofLease,
  })
  await index(db, 'ledger_entries', 'order_id')
}

async function money(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'payments', columns.payments, {
    primary: 'order_id',
    within: ['location_code → locations'],
  })
  await index(db, 'payments', 'state, updated_at')
  await index(db, 'payments', 'location_code, tenant_id')
  await index(db, 'payments', 'location_code, lease_number')
  await index(db, 'payments', 'draft_id')
  await createTable(db, 'refund_tasks', columns.refund_tasks, {
    primary: 'order_id',
    within: ['order_id → payments'],
  })
  await index(db, 'refund_tasks', 'state, created_at')
}

async function machinery(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'jobs', columns.jobs, { primary: 'job_id', unique: ['kind, once'] })
  await index(db, 'jobs', 'state, run_at')
  await index(db, 'jobs', 'state, claimed_until')
  await createTable(db, 'mailbox', columns.mailbox, { primary: 'message_id' })
  await index(db, 'mailbox', 'created_at')
  await index(db, 'mailbox', 'recipient')
  await createTable(db, 'limits', columns.limits, { primary: 'key' })
  await index(db, 'limits', 'expires_at')
  await createTable(db, 'counters', columns.counters, { primary: 'location_code, kind' })
  await createTable(db, 'content_version', columns.content_version, { primary: 'id' })
  await sql`insert into content_version (id, version) values (1, 1)`.execute(db)
  await createTable(db, 'idempotency', columns.idempotency, { primary: 'caller, key' })
  await index(db, 'idempotency', 'created_at')
}
