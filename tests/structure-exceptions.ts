/** Known violations of the rules in `import-rule.test.ts`, which the tests accept. The lists may only get shorter. */
export const exceptions = {
  order: [] as string[],
  circles: [] as string[][],
  folderCircles: [] as string[][],
  writers: [] as string[],
  /** Reads of a table that a later module owns, each with its reason. */
  upwardReads: {} as Record<string, string>,
  /** Reason for the casts through `unknown` in a file, by the file's path. */
  castsThroughUnknown: {
    'modules/agreements/internal/pdf/fonts.ts': 'parts of the PDF library that its types leave out',
    'modules/agreements/internal/pdf/typesetter.ts': 'parts of the PDF library that its types leave out',
  } as Record<string, string>,
  sqlInPages: [] as string[],
  /**
   * Office pages whose action does not use `officeAction` or the like: pages of the sign-in, addresses that answer with
   * a file or to scripts, and one that acts at each facility in turn.
   */
  formsByHand: [
    'app/office/accept-invitation.tsx answers its form by hand',
    'app/office/add-factor.tsx answers its form by hand',
    'app/office/audit-file.ts answers its form by hand',
    'app/office/passkey-options.ts answers its form by hand',
    'app/office/privacy/download-tenant-export.ts answers its form by hand',
    'app/office/second-factor.tsx answers its form by hand',
    'app/office/setup/ask-all-tenants-to-accept-terms.tsx answers its form by hand',
    'app/office/setup/download-gate-codes.ts answers its form by hand',
    'app/office/sign-in.tsx answers its form by hand',
  ],
  vagueNames: [] as string[],
}
