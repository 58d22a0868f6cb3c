import type { NamedOrganization } from "../resources/organizations/store.ts";
import type { NamedProject } from "../resources/projects/store.ts";
import type { NamedUser } from "../resources/users/store.ts";
import type { ReadRecord } from "./read-record.ts";

/** Everything that records name by an id. */
export interface Named {
  readonly users: ReadonlyMap<number, NamedUser>;
  readonly organizations: ReadonlyMap<number, NamedOrganization>;
  readonly projects: ReadonlyMap<number, NamedProject>;
}

/** Collects what records name: one object for each id, the first expanded one, or else the first. */
export class NamedInRecords implements Named {
  readonly users = new Map<number, NamedUser>();
  readonly organizations = new Map<number, NamedOrganization>();
  readonly projects = new Map<number, NamedProject>();

  /** `owner` is the id of the document's owner. */
  add({ user, organization, projects, notes }: ReadRecord, owner: number): void {
    note(this.users, user);
    note(this.organizations, organization);
    for (const { user: named, ...project } of projects) {
      note(this.users, named);
      note(this.projects, { ...project, user_id: named?.id ?? owner, isOwnerNamed: named !== null });
    }
    for (const { user: named, organization: theirs } of notes) {
      note(this.users, named);
      note(this.organizations, theirs);
    }
  }
}

function note<Item extends { id: number; isExpanded: boolean }>(
  known: Map<number, Item>,
  item: Item | null,
): void {
  if (item === null) return;
  const before = known.get(item.id);
  if (before === undefined || (item.isExpanded && !before.isExpanded)) known.set(item.id, item);
}
