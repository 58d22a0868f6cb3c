import type { Reader } from "../database/database.ts";
import { type CopiedRow, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTable } from "../database/transfer/tables.ts";
import type { Tables } from "../database/tables.ts";
import { LeftOut } from "../import/report.ts";
import type { DocumentSelection } from "../resources/documents/record/export-store.ts";

/** What an archive of one moment has, and what it leaves out. */
export class ExportScope {
  readonly reader: Reader;
  readonly selection: DocumentSelection;
  readonly leftOut = new LeftOut();
  /** The ids of users that the selected documents name. An archive of all documents has all users. */
  readonly users = new Set<number>();
  readonly organizations = new Set<number>();
  readonly projects = new Set<number>();
  readonly entities = new Set<number>();

  constructor(reader: Reader, selection: DocumentSelection) {
    this.reader = reader;
    this.selection = selection;
  }

  get isWhole(): boolean {
    const { user, project, isPublic } = this.selection;
    return user === null && project === null && !isPublic;
  }

  /** The selected user, whose own things the archive has too, unless it has only what is public. */
  get owner(): number | null {
    const { user, isPublic } = this.selection;
    return isPublic ? null : user;
  }

  /** The rows of a table whose columns have these values. */
  async *rows(table: keyof Tables, where: Readonly<Record<string, number>> = {}): AsyncGenerator<CopiedRow> {
    for await (const rows of rowsOf(this.reader, copiedTable(table), where)) yield* rows;
  }
}
