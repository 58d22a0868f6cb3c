import type { Insertable } from "kysely";
import type { StagingTable } from "../../../database/staging-table.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type {
  DocumentRecordsTable,
  DocumentsTable,
  ProjectMembershipsTable,
} from "../../../database/tables.ts";
import { isPublic } from "../../document-states.ts";
import { recordColumns } from "../record-members.ts";
import { storedRecord, storedRecordColumns } from "../record-store.ts";
import { type DataRow, dataRowsOf } from "./data-row-store.ts";

/** All columns of a document to write. */
export type DocumentValues = Required<Insertable<DocumentsTable>> & { id: number };

export interface DocumentToPut {
  values: DocumentValues;
  /** The ids of all its projects. The projects, the user and the organization must exist. */
  projects: readonly number[];
  /** Those of its projects whose collaborators may edit it, if it joins them now. */
  sharedProjects?: readonly number[];
  /** Times that the record did not contain. They apply to a new row; an existing row keeps its own. */
  unnamed?: readonly ("created_at" | "updated_at")[];
  /** The file is in Quire's own store. */
  isFileHere?: boolean;
}

type NewDocument = DocumentValues & { revision: number | null };

export type Membership = Pick<
  Insertable<ProjectMembershipsTable>,
  "document_id" | "project_id" | "edit_access"
>;

type NewMembership = Membership & { is_public: boolean };

/**
 * All rows of a new document, by {@link newDocumentTables}. They follow from its values alone, so any thread can make
 * them.
 */
type NewRows = readonly [
  readonly [NewDocument],
  readonly [DocumentRecordsTable],
  readonly DataRow[],
  readonly NewMembership[],
];

/** The tables of a new document, in the order in which they are written. */
export function newDocumentTables(dialect: Dialect): readonly StagingTable[] {
  return [
    {
      table: "documents",
      columns: dialect.newRevision() === null ? recordColumns : [...recordColumns, "revision"],
      key: ["id"],
    },
    { table: "document_records", columns: storedRecordColumns, key: ["document_id"] },
    {
      table: "document_data",
      columns: ["document_id", "key", "lowest", "highest", "is_public"],
      key: ["document_id", "key"],
    },
    {
      table: "project_memberships",
      columns: ["document_id", "project_id", "edit_access", "is_public"],
      key: ["document_id", "project_id"],
    },
  ];
}

/** The rows of a new document whose projects are public or, if they are not in `publicProjects`, hidden. */
export function newDocumentRows(
  dialect: Dialect,
  document: DocumentToPut,
  publicProjects: readonly number[] = document.projects,
): NewRows {
  const { values } = document;
  return [
    [{ ...values, revision: dialect.newRevision() }],
    [recordOf(values, publicProjects)],
    dataRowsOf(values),
    newMembershipsOf(document),
  ];
}

function recordOf(values: DocumentValues, publicProjects: readonly number[]): DocumentRecordsTable {
  const shown = publicProjects.length > 1 ? publicProjects.toSorted((a, b) => a - b) : publicProjects;
  return storedRecord({ ...values, public_projects: shown.join(",") });
}

export function membershipOf({ values, sharedProjects = [] }: DocumentToPut, project_id: number): Membership {
  return { document_id: values.id, project_id, edit_access: sharedProjects.includes(project_id) };
}

function newMembershipsOf(document: DocumentToPut): NewMembership[] {
  const { projects, values } = document;
  if (projects.length === 0) return [];
  const is_public = isPublic(values);
  return projects.map((project) => Object.assign(membershipOf(document, project), { is_public }));
}
