import type {
  CompleteWritesTable,
  DeletedDocumentsTable,
  DocumentAudiencesTable,
  DocumentChildrenTable,
  DocumentPathAudiencesTable,
  DocumentPathsTable,
  DocumentDataTable,
  DocumentHistoryTable,
  DocumentRecordsTable,
  DocumentsTable,
  EntitiesTable,
  EntityOccurrencesTable,
  NotesTable,
  ProjectMembershipsTable,
  ProjectsTable,
  SavedSearchFindsTable,
  SavedSearchesTable,
  SectionsTable,
} from "./tables/documents.ts";
import type {
  AssistantClientsTable,
  AssistantCodesTable,
  AssistantConnectionsTable,
  AssistantTokensTable,
} from "./tables/assistants.ts";
import type { AddonEventsTable, AddonPinsTable, AddonRunsTable, AddonsTable } from "./tables/addons.ts";
import type { EventsTable, WebhookDeliveriesTable, WebhooksTable } from "./tables/events.ts";
import type { MailArrivalsTable, MailKeysTable, MailboxesTable } from "./tables/mail-in.ts";
import type { GuestLinksTable, GuestOpeningsTable, GuestSessionsTable } from "./tables/guests.ts";
import type { ImportFilesTable, ImportsTable } from "./tables/imports.ts";
import type {
  AuditExportsTable,
  DispositionsTable,
  HeldDocumentsTable,
  HoldsTable,
  RetentionRulesTable,
} from "./tables/keeping.ts";
import type {
  AccountHistoryTable,
  AdministrationHistoryTable,
  MembershipHistoryTable,
  ApiTokensTable,
  IdentitiesTable,
  IdentityProvidersTable,
  KnownNetworksTable,
  NotificationsTable,
  OrganizationMembersTable,
  OrganizationsTable,
  PasswordLinksTable,
  RecoveryCodesTable,
  SecondFactorsTable,
  ProjectCollaboratorsTable,
  ProjectPinsTable,
  RefreshTokensTable,
  SessionsTable,
  SignInAttemptsTable,
  SignInEventsTable,
  UsersTable,
} from "./tables/accounts.ts";
import type { BatesPrefixesTable, ProductionDocumentsTable, ProductionsTable } from "./tables/productions.ts";
import type {
  DocumentPagesTable,
  DocumentProgressTable,
  DocumentReceiptsTable,
  DocumentRewritesTable,
  FileLocksTable,
  FileRemovalsTable,
  JobsTable,
  PartialUploadPartsTable,
  PartialUploadsTable,
  ReceivedFilesTable,
  RemoteFilesTable,
  RereadPagesTable,
  RedactedBoxesTable,
  RedactedCopiesTable,
  WatchedFilesTable,
  RedactionReasonsTable,
} from "./tables/processing.ts";
import type {
  BlockLengthsTable,
  CountedTermsTable,
  DocumentLengthsTable,
  DocumentWordsTable,
  SearchVocabularyTable,
  UnindexedDocumentsTable,
  WordCountProgressTable,
  WordCountsTable,
  WordFormRemovalsTable,
  DocumentFingerprintsTable,
  DocumentLanguagesTable,
  FingerprintBandsTable,
  AnalysedLanguagesTable,
  UnrecognisedDocumentsTable,
  EmbeddedDocumentsTable,
  MentionCorrectionsTable,
  MentionsTable,
  PageEmbeddingsTable,
  UnreadMentionsTable,
  WordFormsTable,
} from "./tables/search.ts";
import type {
  BackupRunsTable,
  ExaminationsTable,
  FindingsTable,
  MailsTable,
  MirroredDocumentsTable,
  MirroredProjectsTable,
  MirrorsTable,
  SiteBrandingTable,
  StorageFiguresTable,
} from "./tables/administration.ts";

export type * from "./tables/documents.ts";
export type * from "./tables/accounts.ts";
export type * from "./tables/addons.ts";
export type * from "./tables/assistants.ts";
export type * from "./tables/events.ts";
export type * from "./tables/guests.ts";
export type * from "./tables/mail-in.ts";
export type * from "./tables/keeping.ts";
export type * from "./tables/imports.ts";
export type * from "./tables/processing.ts";
export type * from "./tables/productions.ts";
export type * from "./tables/search.ts";
export type * from "./tables/administration.ts";
export type { Flag, Timestamp } from "./tables/column-types.ts";

export interface Tables {
  assistant_clients: AssistantClientsTable;
  assistant_codes: AssistantCodesTable;
  assistant_connections: AssistantConnectionsTable;
  assistant_tokens: AssistantTokensTable;
  backup_runs: BackupRunsTable;
  mails: MailsTable;
  sign_in_events: SignInEventsTable;
  storage_figures: StorageFiguresTable;
  examinations: ExaminationsTable;
  findings: FindingsTable;
  documents: DocumentsTable;
  document_children: DocumentChildrenTable;
  document_paths: DocumentPathsTable;
  document_path_audiences: DocumentPathAudiencesTable;
  document_data: DocumentDataTable;
  document_records: DocumentRecordsTable;
  unindexed_documents: UnindexedDocumentsTable;
  complete_writes: CompleteWritesTable;
  users: UsersTable;
  organizations: OrganizationsTable;
  projects: ProjectsTable;
  project_memberships: ProjectMembershipsTable;
  organization_members: OrganizationMembersTable;
  project_collaborators: ProjectCollaboratorsTable;
  project_pins: ProjectPinsTable;
  notifications: NotificationsTable;
  sessions: SessionsTable;
  password_links: PasswordLinksTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  account_history: AccountHistoryTable;
  membership_history: MembershipHistoryTable;
  administration_history: AdministrationHistoryTable;
  refresh_tokens: RefreshTokensTable;
  api_tokens: ApiTokensTable;
  sign_in_attempts: SignInAttemptsTable;
  identities: IdentitiesTable;
  identity_providers: IdentityProvidersTable;
  known_networks: KnownNetworksTable;
  document_audiences: DocumentAudiencesTable;
  document_history: DocumentHistoryTable;
  deleted_documents: DeletedDocumentsTable;
  events: EventsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  addons: AddonsTable;
  addon_pins: AddonPinsTable;
  addon_events: AddonEventsTable;
  addon_runs: AddonRunsTable;
  mail_keys: MailKeysTable;
  mail_arrivals: MailArrivalsTable;
  mailboxes: MailboxesTable;
  guest_links: GuestLinksTable;
  guest_sessions: GuestSessionsTable;
  guest_openings: GuestOpeningsTable;
  holds: HoldsTable;
  held_documents: HeldDocumentsTable;
  imports: ImportsTable;
  import_files: ImportFilesTable;
  bates_prefixes: BatesPrefixesTable;
  productions: ProductionsTable;
  production_documents: ProductionDocumentsTable;
  audit_exports: AuditExportsTable;
  retention_rules: RetentionRulesTable;
  dispositions: DispositionsTable;
  file_removals: FileRemovalsTable;
  partial_uploads: PartialUploadsTable;
  watched_files: WatchedFilesTable;
  partial_upload_parts: PartialUploadPartsTable;
  remote_files: RemoteFilesTable;
  jobs: JobsTable;
  file_locks: FileLocksTable;
  document_pages: DocumentPagesTable;
  document_receipts: DocumentReceiptsTable;
  received_files: ReceivedFilesTable;
  notes: NotesTable;
  sections: SectionsTable;
  entities: EntitiesTable;
  entity_occurrences: EntityOccurrencesTable;
  saved_searches: SavedSearchesTable;
  saved_search_finds: SavedSearchFindsTable;
  document_progress: DocumentProgressTable;
  reread_pages: RereadPagesTable;
  document_rewrites: DocumentRewritesTable;
  redacted_boxes: RedactedBoxesTable;
  redacted_copies: RedactedCopiesTable;
  redaction_reasons: RedactionReasonsTable;
  site_branding: SiteBrandingTable;
  mirrors: MirrorsTable;
  mirrored_documents: MirroredDocumentsTable;
  mirrored_projects: MirroredProjectsTable;
  document_words: DocumentWordsTable;
  search_vocabulary: SearchVocabularyTable;
  word_counts: WordCountsTable;
  word_count_progress: WordCountProgressTable;
  block_lengths: BlockLengthsTable;
  document_lengths: DocumentLengthsTable;
  word_forms: WordFormsTable;
  word_form_removals: WordFormRemovalsTable;
  document_languages: DocumentLanguagesTable;
  analysed_languages: AnalysedLanguagesTable;
  unrecognised_documents: UnrecognisedDocumentsTable;
  document_fingerprints: DocumentFingerprintsTable;
  fingerprint_bands: FingerprintBandsTable;
  mention_corrections: MentionCorrectionsTable;
  mentions: MentionsTable;
  unread_mentions: UnreadMentionsTable;
  page_embeddings: PageEmbeddingsTable;
  embedded_documents: EmbeddedDocumentsTable;
  counted_terms: CountedTermsTable;
}
