import type { ColumnType, Generated } from "kysely";

/** SQLite hands back 0 and 1 where PostgreSQL hands back booleans: read it for its truth, write booleans. */
export type Flag = ColumnType<boolean | number, boolean, boolean>;

/** UTC, ISO 8601, always six digits of a second and a `Z`: text order is time order, in both engines. */
export type Timestamp = string;

/** Kept by the database (a trigger or a generated column); a program only reads it. */
type Kept<T> = ColumnType<T, never, never>;

export interface DocumentsTable {
  id: Generated<number>;
  /** A number this row never had before in this state: new on every change of what a record shows. */
  revision: Kept<number>;
  access: string;
  admin_noindex: Flag;
  /** Where the files are, when they are not in our own file store (an imported record); else null. */
  asset_url: string | null;
  created_at: Timestamp;
  /** JSON text: an object of arrays of strings. */
  data: string;
  description: string;
  file_hash: string;
  language: string;
  noindex: Flag;
  organization_id: number;
  original_extension: string;
  page_count: number;
  page_spec: string;
  publish_at: Timestamp | null;
  published_url: string;
  related_article: string;
  revision_control: Flag;
  slug: string;
  source: string;
  status: string;
  title: string;
  updated_at: Timestamp;
  user_id: number;
}

/** One row a document and key of its `data` that has a value; made by triggers, for ordering by the key. */
export interface DocumentDataTable {
  document_id: Kept<number>;
  key: Kept<string>;
  lowest: Kept<string>;
  highest: Kept<string>;
  /** Everyone may see the document: here and on memberships. */
  is_public: Kept<boolean | number>;
}

export interface UsersTable {
  id: Generated<number>;
  username: string;
  name: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganizationsTable {
  id: Generated<number>;
  name: string;
  slug: string;
  individual: Flag;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ProjectsTable {
  id: Generated<number>;
  title: string;
  slug: string;
  description: string;
  private: Flag;
  user_id: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ProjectMembershipsTable {
  project_id: number;
  document_id: number;
  edit_access: Flag;
  is_public: Kept<boolean | number>;
}

export interface Tables {
  documents: DocumentsTable;
  document_data: DocumentDataTable;
  users: UsersTable;
  organizations: OrganizationsTable;
  projects: ProjectsTable;
  project_memberships: ProjectMembershipsTable;
}
