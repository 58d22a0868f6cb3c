import type { Generated } from "kysely";
import type { MailKeyAccess } from "../../contract/person.ts";
import type { Optional, Timestamp } from "./column-types.ts";

/** Keys of the addresses to which a person mails documents, at most one for each of their projects and one without. */
export interface MailKeysTable {
  id: Generated<number>;
  user_id: number;
  /** The project that the documents join. */
  project_id: Optional<number>;
  digest: string;
  /** Of the documents. */
  access: MailKeyAccess;
  created_at: Timestamp;
  used_at: Optional<Timestamp>;
}

/** Mails that became documents or were refused, for 30 days. */
export interface MailArrivalsTable {
  id: Generated<number>;
  /** The owner of the key. */
  user_id: Optional<number>;
  /** Null for a mail that was refused. */
  document_id: Optional<number>;
  /** Of the key and the mail; of a refused one, of what it is listed by. */
  digest: string;
  way: "smtp" | "imap";
  /** As the mail server names it; empty if it names none. */
  sender: string;
  /** Why it was refused. */
  reason: Optional<string>;
  /** How often it was refused. */
  times: number;
  arrived_at: Timestamp;
}

/** Mailboxes that are read by IMAP: the mails up to an UID have been taken in. */
export interface MailboxesTable {
  name: string;
  /** UIDs of another validity name other mails. */
  uid_validity: string;
  last_uid: number;
}
