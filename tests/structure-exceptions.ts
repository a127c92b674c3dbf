/** Remaining violations of the rules in `import-rule.test.ts`. The lists only get shorter. */
export const exceptions = {
  order: [] as string[],
  circles: [] as string[][],
  folderCircles: [] as string[][],
  writers: [] as string[],
  /** Reads of a table that a later module owns, each with its reason. */
  upwardReads: {} as Record<string, string>,
  /** Reason of each cast through `unknown`. */
  castsThroughUnknown: {
    'api/openapi/json-schema.ts': 'a schema of any kind, read part by part',
    'api/xml.ts': 'a schema of any kind, read part by part',
    'modules/agreements/pdf/fonts.ts': 'parts of the PDF library that its types leave out',
    'modules/agreements/pdf/typesetter.ts': 'parts of the PDF library that its types leave out',
    'modules/links/personal-links.ts': 'one statement for two tables',
    'modules/payments/allocations.ts': 'a join whose further names the callers do not use',
    'modules/reports/report-input.ts': 'an input whose parts are joined to one type',
    'platform/database/statement-name.ts': 'a node of a statement, read part by part',
    'platform/operations/input-fields.ts': 'a field that may be left out, for a caller of any type',
    'platform/operations/operation.ts': 'an operation of one input, in a list of all operations',
    'platform/passkeys/passkey-ceremony.ts': "a browser's answer that its schema has checked",
    'platform/schema/migrations/migrate.ts': 'a table of the migrating library',
    'ports/geocoder/gazetteer-index.ts': 'columns that are named by a list',
    'server/start.ts': 'a module that the build makes',
    'server/web/plain-pages.tsx': 'what the router needs of its own context to draw a page',
  } as Record<string, string>,
  sqlInPages: [] as string[],
  /** Pages before sign-in, addresses that answer a file, and one that acts at each facility in turn. */
  formsByHand: [
    'app/office/accept-invitation.tsx answers its form by hand',
    'app/office/add-factor.tsx answers its form by hand',
    'app/office/audit-file.ts answers its form by hand',
    'app/office/passkey-options.ts answers its form by hand',
    'app/office/privacy/export-file.ts answers its form by hand',
    'app/office/second-factor.tsx answers its form by hand',
    'app/office/setup/all-terms.tsx answers its form by hand',
    'app/office/setup/gate-list.ts answers its form by hand',
    'app/office/sign-in.tsx answers its form by hand',
  ],
  vagueNames: [] as string[],
}
