import { unsetPassword } from "../resources/users/account-store.ts";
import { listNames, listText } from "./archive-files.ts";
import type { BagWriter } from "./bag-writer.ts";
import type { ExportScope } from "./export-scope.ts";
import {
  account,
  collaborator,
  elementOf,
  entityElement,
  identity,
  member,
  organization,
  project,
  savedSearch,
} from "./lists.ts";

/** Writes everything except the documents. The list of people comes last, because the other lists name people too. */
export async function writeLists(bag: BagWriter, scope: ExportScope): Promise<void> {
  const write = async (name: string, elements: AsyncIterable<unknown>): Promise<void> =>
    bag.add([await bag.write(name, listText(elements))]);
  await addOwn(scope);
  await write(listNames.entities, entities(scope));
  await write(listNames.projects, projects(scope));
  await write(listNames.savedSearches, savedSearches(scope));
  await write(listNames.organizations, organizations(scope));
  await write(listNames.people, people(scope));
}

/** Adds the selected user and all organizations of that user. */
async function addOwn(scope: ExportScope): Promise<void> {
  const { owner } = scope;
  if (owner === null) return;
  scope.users.add(owner);
  for await (const { organization_id } of scope.rows("organization_members", { user_id: owner }))
    scope.organizations.add(organization_id as number);
}

async function* entities(scope: ExportScope): AsyncGenerator {
  for await (const row of scope.rows("entities")) {
    const { id, user_id } = row;
    if (!scope.isWhole && !scope.entities.has(id as number)) continue;
    if (user_id !== null) scope.users.add(user_id as number);
    yield entityElement(row);
  }
}

async function* projects(scope: ExportScope): AsyncGenerator {
  const { isWhole, owner, leftOut, users } = scope;
  const { isPublic } = scope.selection;
  for await (const row of scope.rows("projects")) {
    const id = row["id"] as number;
    const isOwn = owner !== null && row["user_id"] === owner;
    if (!isWhole && !isOwn && !scope.projects.has(id)) {
      if (isPublic && Boolean(row["private"])) leftOut.add("projects that are not public");
      continue;
    }
    const collaborators = [];
    for await (const other of scope.rows("project_collaborators", { project_id: id })) {
      if (isPublic) {
        leftOut.add("collaborators of projects");
        continue;
      }
      collaborators.push(elementOf(collaborator, other));
      users.add(other["user_id"] as number);
    }
    const pinned_by = [];
    for await (const { user_id } of scope.rows("project_pins", { project_id: id })) {
      if (isWhole || user_id === owner) pinned_by.push(user_id);
      else leftOut.add("pins of others");
    }
    users.add(row["user_id"] as number);
    yield { ...elementOf(project, row), collaborators, pinned_by };
  }
}

async function* savedSearches(scope: ExportScope): AsyncGenerator {
  for await (const row of scope.rows("saved_searches"))
    if (scope.isWhole || row["user_id"] === scope.owner) yield elementOf(savedSearch, row);
}

async function* organizations(scope: ExportScope): AsyncGenerator {
  for await (const row of scope.rows("organizations")) {
    const id = row["id"] as number;
    if (!scope.isWhole && !scope.organizations.has(id)) continue;
    const members = [];
    for await (const found of scope.rows("organization_members", { organization_id: id }))
      if (scope.isWhole || found["user_id"] === scope.owner) members.push(elementOf(member, found));
    yield { ...elementOf(organization, row), members };
  }
}

/** An archive of selected documents does not reveal the accounts and email addresses of other people. */
async function* people(scope: ExportScope): AsyncGenerator {
  const { isWhole, owner, leftOut } = scope;
  for await (const row of scope.rows("users")) {
    const { id, password_hash, organization_id } = row;
    const isSelected = isWhole || id === owner;
    if (!isSelected && !scope.users.has(id as number)) continue;
    const person = elementOf(identity, row);
    if (!isSelected) {
      if (password_hash !== null) leftOut.add("accounts of others");
      yield { ...person, account: null };
      continue;
    }
    if (password_hash !== null && password_hash !== unsetPassword) leftOut.add("passwords");
    const isNamed = isWhole || scope.organizations.has(Number(organization_id));
    yield { ...person, ...elementOf(account, row), ...(!isNamed && { organization: null }) };
  }
}
