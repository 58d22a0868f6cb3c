import { accessLevels, statuses } from "../contract/document.ts";
import * as fc from "fast-check";
import { describingParts } from "../resources/documents/indexed-fields.ts";
import { replacePages } from "../resources/documents/pages/page-store.ts";
import { insertNote } from "../resources/notes/store.ts";
import type { Query } from "../search/query-tree.ts";
import { indexTexts } from "../search/text-index.ts";
import { documentRow, projectRow } from "./factories.ts";
import { type Person, addPerson } from "./people.ts";
import { type SearchedDocument, evaluate } from "./search-evaluation.ts";
import { dataValues, moments, pageText, wordedText } from "./search-queries.ts";
import type { TestApp } from "./test-app.ts";

/*
 * Documents to search, the people who may see them by the rules in plain words, and the expected results of a search.
 * Nothing here depends on the application's tables.
 */

/** Ids of users, organizations and projects. */
export const people = [1, 2, 3];
const organizations = [1, 2];
const projects = [1, 2, 3];
const moment = moments[0] as string;

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
/** Few documents and people, of all kinds. */
export const worlds = fc.record({
  /** The organizations of each person. */
  members: fc.array(fc.subarray(organizations), { minLength: 3, maxLength: 3 }),
  /** The projects of each person as a collaborator. */
  collaborators: fc.array(fc.subarray(projects), { minLength: 3, maxLength: 3 }),
  privateProjects: fc.subarray(projects),
  documents: fc.array(
    fc.record({
      user_id: fc.constantFrom(...people),
      organization_id: fc.constantFrom(...organizations),
      access: mostly<string>("public", ...accessLevels),
      status: mostly<string>("success", ...statuses),
      language: mostly("eng", "deu"),
      slug: mostly("a-slug", "b"),
      original_extension: mostly("pdf", "docx"),
      title: wordedText,
      source: mostly("", "harbour", "Port"),
      description: wordedText,
      noindex: mostly(false, true),
      isUnlisted: mostly(false, true),
      created_at: fc.constantFrom(...moments),
      updated_at: fc.constantFrom(...moments),
      pages: fc.array(pageText, { maxLength: 3 }),
      notes: fc.array(
        fc.record({
          user_id: fc.constantFrom(...people),
          access: fc.constantFrom("public", "organization", "private", "invisible"),
          title: wordedText,
          content: wordedText,
        }),
        { maxLength: 2 },
      ),
      data: fc.dictionary(
        fc.constantFrom("_tag", "k"),
        fc.subarray([...dataValues], { minLength: 1, maxLength: 2 }),
        { noNullPrototype: true },
      ),
      /** The projects that it is in, and whether it is shared with each. */
      memberships: fc.array(fc.record({ project: fc.constantFrom(...projects), isShared: fc.boolean() }), {
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 9 },
  ),
});
export type World = typeof worlds extends fc.Arbitrary<infer One> ? One : never;
type WorldDocument = World["documents"][number];
type WorldNote = WorldDocument["notes"][number];

/** A person's id. Null is an anonymous viewer. */
export type Asking = number | null;

/**
 * The rule in plain words: public documents, the person's own, and those of their organizations and shared projects.
 */
function sees(world: World, person: Asking, document: WorldDocument): boolean {
  if (person === null) return isOut(document) && !isHiddenFromRobots(document);
  if (isOut(document)) return true;
  if (document.access === "invisible" || document.status === "deleted") return false;
  const shared = membershipsOf(document).filter(({ isShared }) => isShared);
  return (
    document.user_id === person ||
    (document.access === "organization" && isOf(world.members, person, document.organization_id)) ||
    shared.some(({ project }) => isOf(world.collaborators, person, project))
  );
}

function isOut({ access, status }: WorldDocument): boolean {
  return access === "public" && ["success", "readable"].includes(status);
}

/** Anonymous viewers can open some documents by their address that they cannot find. */
function mayOpen(world: World, person: Asking, document: WorldDocument): boolean {
  return isOut(document) || sees(world, person, document);
}

/** The rule in plain words for notes, for a person who sees the document. */
function seesNote(world: World, person: Asking, document: WorldDocument, note: WorldNote): boolean {
  if (note.access === "public") return true;
  if (person === null || note.access === "invisible") return false;
  return note.user_id === person || (note.access === "organization" && edits(world, person, document));
}

/** The rule in plain words for changes, for a person who sees the document. */
function edits(world: World, person: number, document: WorldDocument): boolean {
  const isMember = isOf(world.members, person, document.organization_id);
  const isShownToAll = document.access === "public";
  if (document.user_id === person) return !isShownToAll || isMember;
  if (isMember && document.access !== "private") return true;
  const shared = membershipsOf(document).filter(({ isShared }) => isShared);
  return (
    !isShownToAll &&
    shared.some(
      ({ project }) => isOf(world.collaborators, person, project) && accessTo(person, project) === "edit",
    )
  );
}

/** The access of a collaborator: some may edit, and some may view. */
function accessTo(person: number, project: number): "edit" | "view" {
  return (person + project) % 2 === 0 ? "edit" : "view";
}

/** A world that looks the same to this person. Everything hidden from them comes from another world. */
export function withOthersHidden(world: World, person: Asking, other: World): World {
  const otherNotes = other.documents
    .flatMap(({ notes }) => notes)
    .map((note): WorldNote => Object.assign({}, note, { access: "invisible" }));
  const hidden = other.documents.map((document): WorldDocument =>
    mayOpen(world, person, document)
      ? { ...document, access: "private", user_id: ((person ?? 0) % people.length) + 1, memberships: [] }
      : document,
  );
  const ofOthers = (own: number[][], others: number[][]): number[][] =>
    own.map((groups, index) => (index + 1 === person ? groups : (others[index] ?? groups)));
  const documents = world.documents.map((document): WorldDocument => {
    if (!mayOpen(world, person, document)) return hidden.pop() ?? { ...document, title: "", pages: [] };
    const notes = document.notes.map((note) =>
      seesNote(world, person, document, note) ? note : (otherNotes.pop() ?? { ...note, title: "" }),
    );
    return { ...document, notes: [...notes, ...otherNotes.splice(0, 1)] };
  });
  return {
    ...world,
    members: ofOthers(world.members, other.members),
    collaborators: ofOthers(world.collaborators, other.collaborators),
    documents: [...documents, ...hidden],
  };
}

function isHiddenFromRobots({ noindex, isUnlisted }: WorldDocument): boolean {
  return noindex || isUnlisted;
}

function isOf(groups: readonly (readonly number[])[], person: number, group: number): boolean {
  return groups[person - 1]?.includes(group) === true;
}

/** If a project occurs several times, the last one counts. */
function membershipsOf({ memberships }: WorldDocument): WorldDocument["memberships"] {
  return [...new Map(memberships.map((one) => [one.project, one])).values()];
}

/** The document as a query of this person sees it. */
function searched(world: World, person: Asking, document: WorldDocument, index: number): SearchedDocument {
  const isKnown = (project: number): boolean =>
    !world.privateProjects.includes(project) ||
    (person !== null && isOf(world.collaborators, person, project));
  return {
    ...document,
    id: index + 1,
    noindex: isHiddenFromRobots(document),
    page_count: document.pages.length,
    notes: document.notes
      .filter((note) => seesNote(world, person, document, note))
      .map(({ title, content }) => `${title}\n${content}`),
    projects: membershipsOf(document).flatMap(({ project }) => (isKnown(project) ? [project] : [])),
  };
}

/** The expected results. The order of documents with equal scores is not defined. */
export function expected(world: World, person: Asking, query: Query): SearchedDocument[] {
  return world.documents
    .map((document, index) => ({ document, index }))
    .filter(({ document }) => sees(world, person, document))
    .map(({ document, index }) => searched(world, person, document, index))
    .filter((document) => evaluate(query, document));
}

/** The ids in the requested order; null if scores decide it. */
export function ordered(documents: readonly SearchedDocument[], sort: string): number[] | null {
  const isTurned = sort.startsWith("-");
  const name = isTurned ? sort.slice(1) : sort;
  if (name === "score" || name === "unknown") return null;
  const isDescending = ["created_at", "updated_at", "page_count"].includes(name) !== isTurned;
  const keyOf = (document: SearchedDocument): string | number | undefined => {
    if (name !== "data_k") return document[name as "title"];
    const values = (document.data["k"] ?? []).toSorted(byCharacters);
    return isDescending ? values.at(-1) : values[0];
  };
  return documents
    .toSorted((one, other) => {
      const [a, b] = [keyOf(one), keyOf(other)];
      if (a === b) return other.id - one.id;
      if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
      return (isDescending ? -1 : 1) * byCharacters(a, b);
    })
    .map(({ id }) => id);
}

function byCharacters(one: string | number, other: string | number): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Adds the organizations, people and projects that all worlds share. Returns the people in order of their ids. */
export async function addWorldsPeople({ context }: TestApp): Promise<Person[]> {
  await context.database.write(async (writer) => {
    for (const id of organizations) {
      const times = { created_at: moment, updated_at: moment };
      const row = { id, name: `O${id}`, slug: `o${id}`, individual: false, ...times };
      await writer.insertInto("organizations").values(row).execute();
    }
  });
  const persons: Person[] = [];
  for (const id of people) {
    const person = await addPerson(context, { username: `person-${id}` });
    if (person.id !== id) throw new Error(`person ${id} became ${person.id}`);
    persons.push(person);
  }
  await context.database.write(async (writer) => {
    for (const id of projects) {
      await writer
        .insertInto("projects")
        .values({ ...projectRow(), id })
        .execute();
    }
  });
  return persons;
}

/** Replaces the previous world. People, organizations and projects stay. */
export async function buildWorld({ context: { database } }: TestApp, world: World): Promise<void> {
  await database.write(async (writer) => {
    for (const table of ["documents", "project_collaborators", "organization_members"] as const) {
      await writer.deleteFrom(table).execute();
    }
    for (const id of projects) {
      const change = { private: world.privateProjects.includes(id) };
      await writer.updateTable("projects").set(change).where("id", "=", id).execute();
    }
    for (const user_id of people) {
      for (const organization_id of world.members[user_id - 1] ?? []) {
        const row = { organization_id, user_id, is_admin: false };
        await writer.insertInto("organization_members").values(row).execute();
      }
      for (const project_id of world.collaborators[user_id - 1] ?? []) {
        const row = { project_id, user_id, access: accessTo(user_id, project_id) };
        await writer.insertInto("project_collaborators").values(row).execute();
      }
    }
    for (const [index, document] of world.documents.entries()) {
      const { pages, notes, data, memberships: _, isUnlisted, ...columns } = document;
      const row = {
        ...columns,
        id: index + 1,
        data: JSON.stringify(data),
        admin_noindex: isUnlisted,
        page_count: pages.length,
      };
      const { id } = row;
      await writer.insertInto("documents").values(documentRow(row)).execute();
      await indexTexts(writer, describingParts(id, document));
      await replacePages(
        writer,
        id,
        pages.map((text) => ({ text })),
      );
      for (const [number, note] of notes.entries()) {
        await insertNote(writer, { id: 100 * id + number, ...noteRow(id, note) });
      }
      for (const { project, isShared } of membershipsOf(document)) {
        const membership = { document_id: id, project_id: project, edit_access: isShared };
        await writer.insertInto("project_memberships").values(membership).execute();
      }
    }
  });
}

function noteRow(document_id: number, note: WorldNote) {
  const nowhere = { page_number: 0, x1: null, x2: null, y1: null, y2: null };
  const times = { created_at: moment, updated_at: moment };
  const access = note.access as "public";
  return {
    document_id,
    organization_id: null,
    ...nowhere,
    ...times,
    ...note,
    access,
    content_html: note.content,
  };
}
