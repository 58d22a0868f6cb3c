/*
 * The limits of what people and programs may send. The server's fields refuse what exceeds them, and forms keep people
 * within them. Lengths of texts are in characters.
 */

/** The limits of a document's members; describing-fields.ts has those of the texts that describe it. */
export const documentLimits = {
  title: 1000,
  /** Of the keys of its data. */
  dataKey: 50,
  dataValue: 300,
  /** Longer than any password of a PDF. */
  password: 255,
} as const;

/** Of the address of a page on the web. */
export const maxAddressLength = 1024;

/** On the page that redacts many documents at once. */
export const maxDocumentsToRedact = 200;

export const noteLimits = { title: 500, content: 2000 } as const;

export const sectionLimits = { title: 200 } as const;

export const projectLimits = { title: 255, description: 1000 } as const;

export const personLimits = {
  username: 150,
  name: 255,
  email: 254,
  minPassword: 10,
  password: 1000,
} as const;

export const organizationLimits = { name: 255, avatarAddress: 2000 } as const;

export const identityProviderLimits = {
  name: 100,
  issuer: 1000,
  clientId: 255,
  clientSecret: 1000,
  scopes: 500,
  /** Of the name of a claim, and of that of a group. */
  group: 255,
  /** The groups that give something. */
  groups: 500,
} as const;

/** Of a code of a second factor, as people type it. */
export const maxFactorCodeLength = 40;

/** Of the names that people give to their API tokens. */
export const maxTokenNameLength = 255;

export const webhookLimits = {
  name: 255,
  secret: 100,
  /** How many one person may have. */
  perPerson: 20,
} as const;

export const guestLinkLimits = {
  name: 255,
  minPassword: 8,
  password: 1000,
  uses: 100_000,
  /** How long a link may work. */
  days: 366,
  /** How many one person may have that work. */
  perPerson: 1000,
} as const;

export const holdLimits = {
  name: 255,
  reason: 5000,
  /** How many documents one hold may name. */
  documents: 1000,
} as const;

export const retentionLimits = {
  name: 255,
  /** In days, months or years. */
  period: 10_000,
  dataKey: 50,
  /** How many proposals one request decides about. */
  decisions: 100,
} as const;

export const savedSearchLimits = {
  name: 255,
  /** How many of one person may have an alert. */
  alerts: 50,
} as const;

/** Of the query of a search, with its parameters. */
export const maxQueryLength = 10_000;

/** Of a quotation that is checked. */
export const quotationLimits = { quote: 5000 } as const;

/** The maximum number of items in a bulk request. */
export const bulkLimit = 25;

/** The rows on a page of a list. */
export const pageLimits = { usual: 25, max: 1000 } as const;

/** Of a search by people who have signed in. */
export const searchLimits = {
  /** The results on a page. */
  perPage: 1000,
  /** The number of the last page, where pages have numbers. */
  page: 1000,
  /** The facets that one request counts. */
  facets: 20,
  /** The values of a facet that an answer shows. */
  facetValues: 50,
  /** Without words, facets count the newest documents up to this number. */
  facetedDocuments: 100_000,
  /** The completions of a query. */
  completions: 10,
  /** The pages of one document on a page of the results within it. */
  hitsPerPage: 100,
} as const;

/** The rows of a table in one request. */
export const maxTableRows = 1000;

/** The documents whose progress one stream follows. */
export const maxFollowed = 100;

/** The boxes of one redaction: each is drawn, and checked afterwards. */
export const maxBoxes = 1000;

/** The documents whose originals one archive contains. */
export const maxInArchive = 1000;

/** Of what administrators say of the site, in characters, and of an image that becomes its logo, in bytes. */
export const brandingLimits = { name: 60, about: 300, logoBytes: 500_000 } as const;

/** Of a reason for redactions that administrators add, and how many of them there may be. */
export const reasonLimits = { code: 40, label: 200, own: 200 } as const;

/** What administrators can say of the site, and the setting of the server that wins over each. */
export const brandingSettings = {
  name: "QUIRE_SITE_NAME",
  about: "QUIRE_SITE_ABOUT",
  colour: "QUIRE_SITE_COLOUR",
  imprint_url: "QUIRE_IMPRINT_URL",
  privacy_url: "QUIRE_PRIVACY_URL",
  logo: "QUIRE_SITE_LOGO",
} as const;
export type BrandingMember = keyof typeof brandingSettings;
export const brandingMembers = Object.keys(brandingSettings) as BrandingMember[];

export const addonLimits = {
  /** Of the message of a run, a comment on it, and the name of its file. */
  text: 255,
  subject: 255,
  content: 50_000,
  /** The documents of one run. The whole task is an argument of a program, and Linux allows 128 KiB for one. */
  documents: 5000,
  /** The documents of a run on a search: every request of the run reads their ids. */
  found: 25_000,
  /** Of the parameters as JSON, in bytes. */
  parameters: 32_768,
  query: 4096,
  /** Of a configuration, in characters. */
  config: 100_000,
  /** Of what an add-on keeps with a run or an event, as JSON in bytes. */
  data: 65_536,
  /** The events that one person may have. */
  eventsPerPerson: 100,
  /** The runs of one person that wait or run. */
  openRunsPerPerson: 100,
} as const;

/** Of a folder that is uploaded: how much a report of its files has. */
export const uploadReportLimits = { name: 300, files: 500, path: 1000, reason: 500 } as const;

/** Of production sets. `days`: how long their files are kept. */
export const productionLimits = {
  name: 200,
  prefix: 20,
  endorsement: 100,
  minDigits: 3,
  maxDigits: 12,
  documents: 20_000,
  days: 30,
} as const;
