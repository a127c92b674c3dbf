/**
 * The kept list of the wire: every operation and resource with every field that it takes, what comes of that field, and
 * every field that the specifications name in its answer (specs 1 and 2, sections 3 and 7).
 */

/** A field's other value that a call is refused with: 409, by the field's name. */
interface Compared {
  refuses: string | number | object
}

/**
 * What comes of a field that is sent. 'names': which record the call is about, and whose. 'acts': it decides what is done or
 * what is answered. 'proves': the caller's evidence. Compared: never believed. `nothing`: why it may be sent all the same.
 */
export type Use = 'names' | 'acts' | 'proves' | Compared | { nothing: string }

export interface Specified {
  /** Fields that the specifications name in the request. */
  takes: Record<string, Use>
  /** Fields of ours beside them. */
  ours?: Record<string, Use>
  /** Fields that the specifications name in the answer; `a.b` within one another, `a[].b` in each of a list. */
  answers: string[]
}

const at = { location_code: 'names' } as const
const whose = { location_code: 'names', tenant_id: 'names' } as const
const ourLease = { ...whose, lease_number: 'names' } as const

const acting = (...names: string[]): Record<string, Use> => Object.fromEntries(names.map((name) => [name, 'acts']))
const differs = (fields: Record<string, string | number | object>): Record<string, Use> =>
  Object.fromEntries(Object.entries(fields).map(([name, refuses]) => [name, { refuses }]))

const saved = ['ErrorMessage', 'reservationCode', 'unitNumber', 'tenantId', 'ReservationDate', 'UnitType']
const masked = ['first', 'last', 'email', 'cell_phone', 'address', 'city', 'state', 'zip']

/** Location of both specifications. */
const location = [
  ...['location_code', 'name', 'address', 'city', 'state', 'zip', 'phone', 'reservation_email', 'lat', 'long', 'photo'],
  ...['id', 'sboa', 'sboa_brochure', 'reservation_window', 'cc_fee', 'allow_ach', 'facility_map_enabled'],
  ...['coming_soon', 'feedback_link', 'special_instruction_after_rental'],
]

const card = differs({
  amount: '0.01',
  payment_method: 'ACH',
  cc_type: 'MC',
  cc_no: '************9999',
  cc_expiration_date: '01/2031',
  cc_address: '1 Elsewhere Road',
  cc_postal_code: '99999-0001',
  cc_name: 'Somebody Else',
  transaction_id: '1',
  cc_response_code: '005',
  autopay_bit: '9',
  token: 'ALIAS9999',
})

const account = acting('ACHAccountNumber', 'ACHRoutingNumber', 'ACHAccountType', 'AutoAchProcessingDay')

const prospect = [
  ...['tenant_id', 'res_code', 'location_code', 'site_name', 'email_address', 'cell_phone', 'res_status'],
  ...['lease_status', 'reservation_date', 'required_date', 'move_in_date', 'extra_data.firstName'],
  ...['extra_data.lastName', 'extra_data.unitNumber', 'extra_data.unitRent', 'extra_data.unitTypeId'],
]

const contact = acting('first', 'last', 'email', 'cell_phone', 'address', 'city', 'state', 'zip')

const fresh = { nothing: 'asks for fresh data, and every answer is' }

export const specified: Readonly<Record<string, Specified>> = {
  GetLocationDetails: { takes: at, answers: location },
  GetLocationUnitTypes: {
    takes: { ...at, new_data: fresh },
    answers: [
      ...['UnitTypeId', 'UnitTypeCode', 'CategoryName', 'Length', 'Breadth', 'Rent', 'IsAvailable', 'ApproximateSize'],
      ...['Discount', 'InternetPrice', 'InternetPriceAvailable', 'UnitTypeDescription', 'UnitTypeDetailedDescription'],
    ].map((name) => `UnitType[].${name}`),
  },
  GetAllDiscounts: {
    takes: { ...at, unit_type_id: 'names' },
    answers: ['discount_id', 'description', 'amount', 'type'].map((name) => `Discount[].${name}`),
  },
  GetUnitsList: { takes: at, answers: ['Unit[].UnitId', 'Unit[].UnitNumber'] },
  GetAllUnits: { takes: at, answers: ['Unit[].UnitId', 'Unit[].UnitNumber'] },
  GetInsuranceSchemes: {
    takes: at,
    answers: ['SchemeId', 'SchemeName', 'CoverageAmount', 'PremiumAmount'].map((name) => `InsuranceScheme[].${name}`),
  },
  GetInsuranceTerminology: { takes: at, answers: ['InsuranceTerminology[].Terminology'] },
  GetFeesandCharges: { takes: at, answers: ['Fee[].FeeId', 'Fee[].Description', 'Fee[].Amount'] },
  GetFeesandCharges_V1: {
    takes: { ...at, unit_type_id: 'names' },
    answers: ['Fee[].FeeId', 'Fee[].Description', 'Fee[].Amount'],
  },
  GetMoveInCostAll: {
    takes: acting('UnitId', 'MoveInDate', 'DiscountId', 'InsuranceId'),
    ours: at,
    answers: [
      ...['RentDetails.TotalRentAmount', 'RentDetails.TaxOnRent', 'RentDetails.FromDate', 'RentDetails.ToDate'],
      ...['InsuranceDetails.InsuranceAmount', 'InsuranceDetails.TaxOnInsurance', 'FeeDetails.FeesAmount'],
      ...['FeeDetails.TaxOnFees', 'FeeDetails.Description', 'DiscountDetails.DiscountValue'],
      'DiscountDetails.Description',
    ],
  },
  SaveReservationDetails_WEB: {
    takes: { ...at, ...contact, ...acting('company', 'active_military', 'designated_agent') },
    ours: acting('unit_type_id', 'move_in_date', 'rent_now', 'c_name'),
    answers: saved,
  },
  SaveReservationDetailsForExistingTenants: {
    takes: at,
    ours: acting('unit_type_id', 'move_in_date', 'rent_now'),
    answers: saved,
  },
  GetActiveReservation: {
    takes: { ...at, last_name: 'proves', phone_last_four: 'proves' },
    answers: ['reservationCode', 'unitNumber', 'tenantId', 'ReservationDate', 'UnitType', ...masked],
  },
  FindReservation: {
    takes: { ...at, reservation_code: 'proves' },
    ours: { last_name: 'proves', phone_last_four: 'proves' },
    answers: ['reservationCode', 'unitNumber', 'tenantId', 'ReservationDate', 'UnitType', ...masked],
  },
  GetTenantInfo: {
    takes: whose,
    answers: [
      ...['tenantId', 'first', 'middle', 'last', 'email', 'cell_phone', 'home_phone', 'work_phone', 'address', 'city'],
      ...[
        'state',
        'zip',
        'company',
        'company_address',
        'company_city',
        'company_state',
        'company_zip',
        'company_phone',
      ],
      ...['company_email', 'date_of_birth', 'birthday', 'active_military', 'countryID', 'grantOnlineAccess'],
    ],
  },
  UpdateTenantInfo: {
    takes: {
      ...whose,
      ...contact,
      ...acting('c_name', 'middle', 'home_phone', 'work_phone', 'birthday', 'company', 'company_address'),
      ...acting('company_city', 'company_state', 'company_zip', 'company_phone', 'company_email'),
      ...differs({ countryID: 'CA', grantOnlineAccess: 'False' }),
    },
    ours: { current_password: 'proves' },
    answers: ['SaveSuccessful'],
  },
  GetTenantDetailsByEmail: { takes: { ...at, email: 'acts' }, answers: ['TenantExists'] },
  AddTenantNotes: { takes: { ...whose, note: 'acts' }, ours: { lease_number: 'acts' }, answers: ['SaveSuccessful'] },
  UpdateTenantMilitaryStatus: {
    takes: { ...whose, ...acting('active_military', 'military_branch', 'military_base', 'commanding_officer') },
    answers: ['SaveSuccessful'],
  },
  GetTenantUnitLeaseDetails: {
    takes: { ...whose, lease_no: 'names' },
    answers: [
      ...['unitNumber', 'unitTypeCode', 'unitID', 'paidThroughDate', 'moveInDate', 'gateCode', 'comboCode'],
      ...['leaseNumber', 'tenantName', 'tenantAddress', 'leaseStatus', 'scheduledMoveoutDate', 'currentBalanceDue'],
      ...['tenantEmail', 'autopay'],
    ],
  },
  GetTenantUnitList_V1: { takes: whose, answers: ['Unit[].UnitNumber', 'Unit[].LeaseNumber'] },
  GetLeaseAgreementDetails: { takes: { ...whose, lease_no: 'names' }, answers: ['LeaseNumber', 'UnitNumber'] },
  AddFeesToLease: {
    takes: { ...ourLease, fee_id: 'acts', ...differs({ fee_amount: '0.01' }) },
    answers: ['SaveSuccessful'],
  },
  AddGateAccessTimeZone: { takes: { ...ourLease, time_zone_name: 'acts' }, answers: ['SaveSuccessful'] },
  GetPrePayRentalCharges: {
    takes: { ...ourLease, prePayPeriods: 'acts' },
    ours: acting('autopay_bit', 'payment_method'),
    answers: ['rent', 'insurance', 'fee', 'discount', 'tax', 'prePayPeriods'],
  },
  GetCurrentDues: {
    takes: ourLease,
    ours: acting('autopay_bit', 'payment_method'),
    answers: ['currentBalanceDue'],
  },
  GetPaymentHistory_V1: {
    takes: { ...whose, ...acting('from_date', 'to_date') },
    answers: ['Payment[].dateTime', 'Payment[].unitNumber', 'Payment[].leaseAmountPaid'],
  },
  GetTenantLastPaymentDetails: {
    takes: whose,
    ours: { lease_number: 'names' },
    answers: ['dateTime', 'unitNumber', 'leaseAmountPaid'],
  },
  UpdateAutoPayInformation: {
    takes: {
      ...ourLease,
      ...acting('autopay_bit', 'cc_no', 'cc_name', 'cc_type', 'cc_expiration_date', 'cc_address', 'cc_postal_code'),
      token: 'acts',
    },
    answers: ['SaveSuccessful'],
  },
  ScheduleMoveOut: {
    takes: { ...at, lease_number: 'names', ...acting('move_out_date', 'vacate_reason_id', 'custom_note') },
    ours: { tenant_id: 'names' },
    answers: ['SaveSuccessful'],
  },
  CancelScheduleMoveOut: {
    takes: { ...at, lease_number: 'names' },
    ours: { tenant_id: 'names', restore_autopay: 'acts' },
    answers: ['SaveSuccessful'],
  },
  'send-schedule-move-out-email': {
    takes: differs({ tenantEmail: 'somebody@else.example', tenantName: 'Somebody Else' }),
    ours: ourLease,
    answers: ['result'],
  },
  GetSecurityQuestions: { takes: {}, answers: ['SecurityQuestion[].id', 'SecurityQuestion[].text'] },
  login: {
    takes: { location_code: 'acts', username: 'names', password: 'proves' },
    answers: ['result', 'message', 'user', 'token'],
  },
  UpdateOnlineAccess: { takes: whose, answers: ['SaveSuccessful'] },
  UpdateOnlineAccessPassword: {
    takes: {
      ...whose,
      password: 'acts',
      ...differs({ email: 'somebody@else.example' }),
      ...acting('question_id', 'security_answer'),
    },
    ours: { current_password: 'proves' },
    answers: ['result', 'message'],
  },
  tenant_lookup: {
    takes: { ...at, unit_number: 'proves', last_name: 'proves', last_4_digits_of_phone_number: 'proves' },
    answers: ['message', 'user.grantOnlineAccess'],
  },
  CheckUnitNumberForOnlineAccess: { takes: { ...at, unit_number: 'acts' }, answers: ['User[].TenantID'] },
  'find-email': { takes: { email: 'acts' }, answers: ['result', 'token'] },
  ValidatePasswordRequestIsExist: { takes: { location_code: 'acts', username: 'names' }, answers: ['code'] },
  'lease-pdf': {
    takes: {
      ...at,
      ...acting('format', 'tenant_signature', 'accepted_timestamp'),
      // Compared where the session may read it, else the name of whoever signs.
      tenant_name: 'acts',
      ...acting('military_branch', 'military_base', 'commanding_officer'),
      ...acting('lien_name', 'lien_phone_number', 'lien_address', 'lien_description'),
      ...acting('agent_name', 'agent_email', 'agent_address', 'agent_city', 'agent_state', 'agent_zip'),
      ...differs({
        tenant_address: '1 Elsewhere Road',
        tenant_phone: '4045559999',
        tenant_city: 'Nowhere',
        tenant_state: 'TX',
        tenant_zip: '99999',
        tenant_email: 'somebody@else.example',
        tenant_company: 'Elsewhere Inc.',
        move_in_date: '01/02/2020',
        unit_number: '99999',
        unit_length: '99',
        unit_width: '99',
        gate_code: '999999',
        rent: '0.01',
        admin_fee: '0.01',
        coverage: '0.01',
        insurance: '0.01',
        tax: '0.01',
        discount: '0.01',
        net_rent: '0.02',
        paid_through_date: '01/02/2020',
        next_billing_date: '01/02/2020',
        facility_name: 'Elsewhere',
        facility_address: '1 Elsewhere Road',
        facility_phone: '4045559999',
        facility_email: 'somebody@else.example',
        facility_city: 'Nowhere',
        facility_zip: '99999',
        facility_state: 'TX',
      }),
    },
    ours: acting(
      ...['tenant_signature_name', 'insurance_id', 'insurance_status_id', 'carrier', 'policy_number'],
      ...['expiration_date', 'vehicle_make', 'vehicle_model', 'vehicle_color', 'vehicle_description', 'default_notice'],
      ...['drivers_license', 'issued_state', 'birth_date', 'license_expiration_date', 'brief_description'],
      ...['full_day_access', 'autopay_bit'],
    ),
    answers: ['url'],
  },
  ConvertReservationtoRentalAndSendLeaseAgreement: {
    takes: {
      ...at,
      order_id: 'names',
      ...card,
      ...differs({
        tenant_id: '9999',
        gate_code: '999999',
        unit_id: '9999',
        insurance_id: '99',
        insurance_status_id: '3',
        discount_id: '99',
        start_date: '01/02/2020',
        end_date: '01/31/2020',
        res_code: 'ZZZZZZZZZZ',
        dbl_reservation_paid_fee: '0.01',
        doc_ref_number: 'another',
        doc_base64_format: 'JVBERi0xLjcK',
        fee_id: '99',
        fee_amount: '0.01',
      }),
    },
    answers: ['RentalMessage', 'RentalLeaseNumber'],
  },
  ProcessPayment_V2: {
    takes: {
      ...whose,
      order_id: 'names',
      ...card,
      ...differs({ unit_id: '9999', pay_periods: '9', auction_proceeds: '1' }),
    },
    answers: ['PaymentMessage'],
  },
  ProcessACHMoveIn: {
    takes: {
      ...at,
      ...account,
      TenantId: 'names',
      ...differs({
        AccessCode: '999999',
        UnitId: '9999',
        InsuranceId: '99',
        DiscountId: '99',
        StartDate: '01/02/2020',
        EndDate: '01/31/2020',
        PaymentAmount: '0.01',
        OverrideUnitStatus: 'True',
        AutopayACH: '0',
        DocRefNumber: 'another',
        SignedLease: 'JVBERi0xLjcK',
      }),
    },
    ours: { ACHAccountName: 'acts' },
    answers: ['RentalMessage', 'RentalLeaseNumber'],
  },
  ProcessACHPayments: {
    takes: { ...ourLease, ...account, ...differs({ amount: '0.01' }), ...acting('pay_periods', 'autopay_bit') },
    ours: { ACHAccountName: 'acts' },
    answers: ['PaymentMessage'],
  },
  'GET /api/locations': { takes: at, answers: location.map((name) => `[].${name}`) },
  'GET /api/location_contents/{code}': {
    takes: { code: 'names' },
    answers: ['fee_for_24hr_access', 'website_move_in_completion_screen'],
  },
  'GET /api/location_units': {
    takes: at,
    answers: [
      ...['unit_id', 'unit_no', 'floor_no', 'left_coordinate', 'top_coordinate', 'length', 'width', 'rotate'],
      ...['system', 'category_name', 'system_rotation'],
    ].map((name) => `[].${name}`),
  },
  'GET /api/states': { takes: {}, answers: ['[].short_name', '[].full_name', '[].map_img'] },
  'GET /api/states/{region}': { takes: { region: 'names' }, answers: ['general_contact_number'] },
  'GET /api/settings': { takes: { name: 'names' }, answers: ['value'] },
  'POST /api/prospects': {
    takes: {
      ...at,
      res_code: 'names',
      ...differs({
        tenant_id: '9999',
        site_name: 'Elsewhere',
        email_address: 'somebody@else.example',
        cell_phone: '4045559999',
        res_status: 'completed',
        lease_status: 'Current',
        reservation_date: '01/02/2020',
        required_date: '01/02/2020',
        move_in_date: '01/02/2020',
        extra_data: { unitNumber: '99999' },
      }),
    },
    answers: prospect,
  },
  'PUT /api/prospects/{reservationCode}': {
    takes: { reservationCode: 'names', res_status: 'acts', ...differs({ move_in_date: '01/02/2020' }) },
    answers: prospect,
  },
  'GET /api/prospects/uuid/{uuid}': { takes: { uuid: 'names' }, answers: ['site_name', 'location_code', 'res_code'] },
  'POST /api/tenants': {
    takes: { ...whose, ...differs({ first_name: 'Somebody', last_name: 'Else' }), birthday: 'acts' },
    answers: ['saved'],
  },
  'POST /api/notices/receipt': {
    takes: differs({
      full_name: 'Somebody Else',
      unit_number: '99999',
      payment_date: '01/02/2020',
      total_amount: '0.01',
      paid_thru_date: '01/02/2020',
      location_phone: '4045559999',
      email: 'somebody@else.example',
      receipt_number: '99999999',
    }),
    ours: { order_id: 'names' },
    answers: ['result'],
  },
  'POST /api/notices/movein_completion': {
    takes: {
      ...at,
      ...differs({
        full_name: 'Somebody Else',
        company_name: 'Elsewhere Inc.',
        cell_phone: '4045559999',
        cell_email: 'somebody@else.example',
        unit_number: '99999',
        unit_category: 'Elsewhere',
        unit_rent: '0.01',
        lease_no: '99999',
        discount: '0.01',
        other_fees_and_charges: '0.01',
        access_code: '999999',
        tax: '0.01',
        lease_pdf_signed_data: 'JVBERi0xLjcK',
      }),
    },
    ours: { order_id: 'names' },
    answers: ['result'],
  },
  'POST /api/notices/tenant_update_notice': {
    takes: {
      email_template_type: 'acts',
      ...differs({ tenant_email_id: 'somebody@else.example', new_tenant_email_id: 'somebody@else.example' }),
    },
    answers: ['result'],
  },
  'POST /api/paygateway/hostpay/transactions': {
    takes: {
      ...at,
      ...differs({ total_amount: '0.01', rent_amount: '0.01', return_url: 'https://elsewhere.example/back' }),
      ...differs({ contact: { email: 'somebody@else.example' } }),
    },
    ours: { tenant_id: 'names', lease_number: 'names', uuid: 'names', ...acting('pay_periods', 'autopay_bit') },
    answers: ['paypageurl'],
  },
  'POST /api/paygateway/directpay/express': {
    takes: { order_id: 'names' },
    answers: [
      ...['STATE', 'CARDBRAND', 'MASKEDCARDNUMBER', 'EXPMONTH', 'EXPYEAR', 'ADDRESS1', 'BILLINGPOSTALCODE'],
      ...['CUSTOMERNAME', 'TRANSACTIONID', 'RESPONSECODE', 'ORDERID', 'APPROVEDAMOUNT', 'RECEIPTID'],
    ],
  },
  'POST /api/gate_code/search': { takes: { contact: 'names' }, answers: ['result'] },
  'GET /api/auction_winners': {
    takes: { uuid: 'names' },
    answers: [
      ...['id', 'uuid', 'location_code', 'unit_number', 'facility_name', 'facility_balance', 'name', 'city', 'zip'],
      ...['gate_code', 'combo_code'],
    ],
  },
  'POST /api/auction_winners/{id}/acknowledge_rules': { takes: {}, ours: { id: 'names' }, answers: ['result'] },
  'POST /api/auction_winners/{id}/send_payment_email': { takes: { id: 'names' }, answers: ['result'] },
  'GET /api/delinquent-tenants/detail': {
    takes: { uuid: 'names' },
    answers: ['facilityId', 'unitNumber', 'facilityName', 'tenantName', 'settlementAmount'],
  },
  'POST /api/scheduled_move_outs': {
    takes: { ...ourLease, ...acting('star_rating', 'comment', 'reasons') },
    answers: ['location_code', 'tenant_id', 'lease_number', 'star_rating', 'comment', 'reasons'],
  },
  'POST /api/insurance/upload': {
    takes: {
      ...at,
      ...acting('file', 'unit_numbers', 'policy_number', 'insurance_carrier', 'expiration_date'),
      ...differs({ tenant_name: 'Somebody Else', tenant_email: 'somebody@else.example' }),
    },
    ours: { tenant_id: 'names' },
    answers: ['result'],
  },
  'POST /api/appointments/{id}/confirm': {
    takes: { id: 'names', confirmation_token: 'proves', ...acting('option', 'confirmation_source') },
    answers: ['appointment_datetime', 'error'],
  },
}
