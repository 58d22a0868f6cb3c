import type { ColumnType, Generated } from "kysely";
import type { addonAccesses, runStatuses } from "../../contract/addon.ts";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

/** Programs that people may run on documents: each is a folder that an administrator has registered. */
export interface AddonsTable {
  id: Generated<number>;
  /** The user who registered it; null for the command line. */
  user_id: Optional<number>;
  organization_id: Optional<number>;
  access: (typeof addonAccesses)[number];
  name: string;
  /** The path of its folder below the folder of add-ons: `owner/name` or `name`. */
  repository: string;
  /** As its configuration has it, to be searched. */
  description: string;
  /** The categories, with a comma before and after each. */
  categories: string;
  /** JSON text: its configuration, which is the JSON Schema of the parameters. */
  parameters: string;
  is_default: Flag;
  is_featured: Flag;
  /** Nobody sees it any more. Its runs stay. */
  is_removed: Flag;
  /** Nobody but administrators sees it while it is switched off. What starts it by itself waits. */
  is_enabled: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The configuration that an administrator has given on a page; null for the file in its folder. */
  config: Optional<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The add-ons that people have pinned. */
export interface AddonPinsTable {
  user_id: number;
  addon_id: number;
}

/** What starts an add-on by itself. */
export interface AddonEventsTable {
  id: Generated<number>;
  addon_id: number;
  user_id: number;
  /** JSON text. */
  parameters: string;
  /** The member `site` of the parameters, if it is a text. */
  site: Optional<string>;
  /** 0 is off, 1 hourly, 2 daily, 3 weekly, 4 on upload. */
  event: number;
  /** JSON text: what the add-on keeps between runs. */
  scratch: string;
  /** When it starts the add-on next; null unless it does so by the clock. */
  due_at: Optional<Timestamp>;
  /** On upload: the position behind the last event of the feed that was looked at; null for the beginning. */
  transaction_id: Optional<number>;
  feed_id: Optional<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The runs of add-ons. */
export interface AddonRunsTable {
  id: Generated<number>;
  uuid: string;
  addon_id: number;
  event_id: Optional<number>;
  user_id: number;
  status: (typeof runStatuses)[number];
  /** A percentage. */
  progress: number;
  message: string;
  /** Empty without a file. */
  file_name: string;
  /** Null without a stored file. */
  file_expires_at: Optional<Timestamp>;
  dismissed: Flag;
  rating: number;
  comment: string;
  credits_spent: number;
  /** JSON text: an object that the add-on keeps. */
  data: string;
  /** JSON text. */
  parameters: string;
  /** JSON text: a list of ids; null if none were chosen. */
  documents: Optional<string>;
  query: Optional<string>;
  /** JSON text: the ids of the documents that its token reaches; null until it begins. */
  scope: Optional<string>;
  /** Of the token that the program exchanges for others; null unless it runs. */
  refresh_digest: Optional<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}
