import type { Generated } from "kysely";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

/** The next number of each prefix; prefixes are in lower case here. */
export interface BatesPrefixesTable {
  prefix: string;
  next_number: number;
}

/** Production sets: see migrations/baseline/productions.ts. */
export interface ProductionsTable {
  id: Generated<number>;
  /** Who made it. */
  user_id: number;
  name: string;
  prefix: string;
  /** How many digits a number has at least. */
  digits: number;
  first_number: number;
  last_number: number;
  /** How many documents are in it. */
  documents: number;
  /** How many documents of the search or the families are not, because its maker may not edit them. */
  left_out: number;
  volume: string;
  /** What each page says besides its number; may be empty. */
  endorsement: string;
  images: "tiff" | "color" | "pdf" | "none";
  has_texts: Flag;
  has_natives: Flag;
  /** Whether the load files begin with a byte order mark. */
  has_mark: Flag;
  state: "making" | "done" | "failed" | "cancelled" | "deleted" | "expired" | "withdrawn";
  /** Why it has failed. */
  reason: Optional<string>;
  created_at: Timestamp;
  ended_at: Optional<Timestamp>;
  expires_at: Optional<Timestamp>;
}

/** A document of a production, with its numbers. */
export interface ProductionDocumentsTable {
  id: Generated<number>;
  production_id: number;
  /** The document may have been deleted since. */
  document_id: number;
  /** The document in the same production of which it is a part. */
  parent_id: Optional<number>;
  /** The first document of its family in the production: itself if it has no family. */
  root_id: number;
  first_number: number;
  /** How many numbers it has. */
  pages: number;
  /** That of its PDF when it got its numbers. */
  file_hash: string;
  /** `slip`: a sheet says why it has no pages; `withheld`: the sheet is all that there is of it. */
  state: "waiting" | "made" | "slip" | "withheld";
  reason: Optional<string>;
  /** JSON text: what the load file says of it; empty when the files of the production are removed. */
  fields: string;
  /** JSON text: its files in the volume, with their sizes, in the order in which they are stored. */
  files: string;
}
