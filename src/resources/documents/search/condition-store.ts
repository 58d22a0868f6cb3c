import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../database/dialect.ts";
import { type MentionKind, mentionKinds } from "../../../contract/search.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { PlannedQuery } from "../../../search/plan.ts";
import type { Bound, ExactField, RangeField, TextField } from "../../../search/query-tree.ts";
import { publicDocuments } from "../../document-states.ts";
import { audiencesOf, visibleToAll } from "../access.ts";
import { documentsIn, documentsInContainers, documentsInFoldersFrom } from "../branch-store.ts";
import { readContainer, readFolder } from "../branches.ts";

/*
 * The conditions of a search in SQL: on the document's columns, on the joined `hits`, which have a weight for each
 * word, and on the viewer's access.
 */

/** The weight of a word in a document, by the word's index: a column of `hits`. */
export function weight(index: number): RawBuilder<number> {
  return sql<number>`coalesce(${sql.ref(`hits.weight${index}`)}, 0)`;
}

/** Whether every matching document must contain at least one of the words. */
export function requiredWords(query: PlannedQuery): boolean {
  if (query.kind === "words" || query.kind === "nothing") return true;
  if (query.kind === "and") return query.of.some(requiredWords);
  if (query.kind === "or") return query.of.every(requiredWords);
  return query.kind === "not" && excludesByWords(query.of);
}

/** Whether every document that does not match must contain at least one of the words. */
function excludesByWords(query: PlannedQuery): boolean {
  if (query.kind === "not") return requiredWords(query.of);
  if (query.kind === "and") return query.of.every(excludesByWords);
  if (query.kind === "or") return query.of.some(excludesByWords);
  return query.kind === "everything";
}

/** The conditions beside the words, if all words are looked for and each of them is enough. Null otherwise. */
export function besideAnyWord(query: PlannedQuery): readonly PlannedQuery[] | null {
  if (query.kind === "words" || (query.kind === "or" && query.of.every(({ kind }) => kind === "words")))
    return [];
  if (query.kind !== "and") return null;
  const withWords = query.of.filter(hasWords);
  const [only] = withWords;
  if (only === undefined || withWords.length > 1 || besideAnyWord(only)?.length !== 0) return null;
  return query.of.filter((operand) => operand !== only);
}

/** Whether any part of the query is a condition on words. */
export function hasWords(query: PlannedQuery): boolean {
  if (query.kind === "and" || query.kind === "or") return query.of.some(hasWords);
  return query.kind === "not" ? hasWords(query.of) : query.kind === "words";
}

/** Whether the words alone decide which documents match. */
export function isOfWords(query: PlannedQuery): boolean {
  if (query.kind === "and" || query.kind === "or") return query.of.every(isOfWords);
  return query.kind === "not" ? isOfWords(query.of) : query.kind === "words";
}

/** The condition for documents that everyone may find. Anonymous viewers do not find documents with `noindex`. */
export function isListed(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  return withoutUnlisted(viewer, visibleToAll(dialect, "documents"));
}

/** With this condition, which every document fulfils, a statement may read `documents_filtered`. */
export const mayReadFiltered = sql`documents.id > 0`;

/** The same as ranges of `documents_filtered`, also for PostgreSQL. */
export function isListedInRanges(viewer: Viewer): RawBuilder<unknown> {
  return withoutUnlisted(viewer, sql.raw(publicDocuments));
}

function withoutUnlisted(viewer: Viewer, isShown: RawBuilder<unknown>): RawBuilder<unknown> {
  const isUnlisted = sql`(documents.noindex = true or documents.admin_noindex = true)`;
  return viewer.kind === "anonymous" ? sql`${isShown} and not ${isUnlisted}` : isShown;
}

export function isAudience(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  return isAudienceAmong(dialect, audiencesOf(viewer));
}

export function isAudienceAmong(dialect: Dialect, audiences: readonly string[]): RawBuilder<unknown> {
  return dialect.isAmongTexts(sql.ref("document_audiences.audience"), sql`${dialect.list(audiences)}`);
}

export function isShownTo(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  if (viewer.kind === "anonymous") return sql`1 = 0`;
  return sql`exists (select 1 from document_audiences
    where document_audiences.document_id = documents.id and ${isAudience(dialect, viewer)})`;
}

/** The condition is never null, so that `not` negates it. Without a viewer, it knows all projects. */
export function conditionOf(
  dialect: Dialect,
  viewer: Viewer | null,
  query: PlannedQuery,
): RawBuilder<unknown> {
  switch (query.kind) {
    case "everything":
      return sql`1 = 1`;
    case "nothing":
      return sql`1 = 0`;
    case "words":
      return sql`${weight(query.index)} > 0`;
    case "not":
      return sql`not (${conditionOf(dialect, viewer, query.of)})`;
    case "and":
    case "or": {
      if (query.of.length === 0) return query.kind === "and" ? sql`1 = 1` : sql`1 = 0`;
      const parts = query.kind === "or" ? withIdsTogether(dialect, query.of) : query.of;
      const all = parts.map((part) => ("kind" in part ? conditionOf(dialect, viewer, part) : part.condition));
      return sql`(${sql.join(all, query.kind === "and" ? sql` and ` : sql` or `)})`;
    }
    case "has":
      return hasText(query.field);
    case "is":
      if (isBranchField(query.field)) return inBranch(dialect, viewer, query);
      return exactly(dialect, query.field, (value) => sql`${value} = ${query.value}`);
    case "begins": {
      if (isBranchField(query.field)) return inBranch(dialect, viewer, query);
      const { length } = Array.from(query.value);
      return exactly(
        dialect,
        query.field,
        (value) => sql`substr(${value}, 1, ${sql.lit(length)}) = ${query.value}`,
      );
    }
    case "range": {
      const isWithin = (value: RawBuilder<unknown>): RawBuilder<unknown> => isBetween(query, value);
      if (query.field === "project") return inProject(dialect, viewer, isWithin);
      if (query.field === "mention_date") return mentioning(dialect, "date", isWithin);
      if (query.field === "mention_birth_date") return mentioning(dialect, "birth_date", isWithin);
      return query.field === "parent" ? inContainer(isWithin) : isWithin(columnOf(query.field));
    }
  }
}

/** Whether a value is between the bounds of a range. */
export function isBetween(
  { from, to }: Pick<Extract<PlannedQuery, { kind: "range" }>, "from" | "to">,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (from !== null && from.value === to?.value && from.isIncluded && to.isIncluded)
    return sql`${value} = ${from.value}`;
  const bounds = [
    ...(from === null ? [] : [sql`${value} ${from.isIncluded ? sql`>=` : sql`>`} ${from.value}`]),
    ...(to === null ? [] : [sql`${value} ${to.isIncluded ? sql`<=` : sql`<`} ${to.value}`]),
  ];
  return bounds.length === 0 ? sql`1 = 1` : sql.join(bounds, sql` and `);
}

function hasText(field: TextField): RawBuilder<unknown> {
  if (field !== "text" && typeof field === "string") return sql`${sql.ref(`documents.${field}`)} <> ''`;
  const isPage = field === "text" ? sql`` : sql`and document_pages.page = ${field.page - 1}`;
  return sql`exists (select 1 from document_pages
    where document_pages.document_id = documents.id ${isPage} and document_pages.text <> '')`;
}

/** Combines many ids of one field into a list. As separate conditions they would take seconds to plan. */
function withIdsTogether(
  dialect: Dialect,
  queries: readonly PlannedQuery[],
): (PlannedQuery | { condition: RawBuilder<unknown> })[] {
  const rest: PlannedQuery[] = [];
  const ids = new Map<"id" | "user" | "organization", number[]>();
  for (const query of queries) {
    const isSingle = query.kind === "range" && query.from !== null && query.from.value === query.to?.value;
    const field = isSingle && query.from?.isIncluded === true && query.to?.isIncluded ? query.field : null;
    if (field === "id" || field === "user" || field === "organization") {
      ids.set(field, [...(ids.get(field) ?? []), Number((query as { from: Bound }).from.value)]);
    } else rest.push(query);
  }
  const lists = [...ids].map(([field, values]) => ({
    condition: dialect.isAmong(columnOf(field), sql`${dialect.list(values)}`),
  }));
  return [...rest, ...lists];
}

function columnOf(
  field: Exclude<RangeField, "project" | "parent" | "mention_date" | "mention_birth_date">,
): RawBuilder<unknown> {
  const column = field === "user" || field === "organization" ? `${field}_id` : field;
  return sql`${sql.ref(`documents.${column}`)}`;
}

/** Documents in one of these projects, if the viewer may know about it. */
function inProject(
  dialect: Dialect,
  viewer: Viewer | null,
  within: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`documents.id in (select project_memberships.document_id from project_memberships
    join projects on projects.id = project_memberships.project_id
    where ${within(sql`project_memberships.project_id`)}
      and ${viewer === null ? sql`1 = 1` : isKnownProject(dialect, viewer)})`;
}

/** Documents whose pages mention a value of a kind, or of any. */
function mentioning(
  dialect: Dialect,
  kind: MentionKind | null,
  matches: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isOfKind =
    kind === null
      ? dialect.isAmongTexts(sql.ref("mentions.kind"), sql`${dialect.list([...mentionKinds])}`)
      : sql`mentions.kind = ${kind}`;
  return sql`documents.id in (select mentions.document_id from mentions
    where ${isOfKind} and ${matches(sql`mentions.value`)})`;
}

/** Documents directly in one of these containers. */
function inContainer(within: (value: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`documents.id in (select document_children.child_id from document_children
    where ${within(sql`document_children.parent_id`)})`;
}

type BranchField = "folder" | "container";

const isBranchField = (field: ExactField): field is BranchField =>
  field === "folder" || field === "container";

/** The ids of the documents in the branch that a condition names. Null if nothing can be in it. */
function documentsOfBranch(
  dialect: Dialect,
  viewer: Viewer | null,
  query: PlannedQuery,
): RawBuilder<unknown> | null {
  if ((query.kind !== "is" && query.kind !== "begins") || !isBranchField(query.field)) return null;
  const { field, value } = query;
  if (query.kind === "begins") {
    if (field === "folder") return documentsInFoldersFrom(dialect, viewer, value);
    // Ids of containers have no order that a prefix could mean, so only `container:*` finds something.
    return value === "" ? documentsInContainers : null;
  }
  const branch = field === "folder" ? readFolder(value) : readContainer(value);
  return branch === null ? null : documentsIn(dialect, viewer, branch);
}

function inBranch(dialect: Dialect, viewer: Viewer | null, query: PlannedQuery): RawBuilder<unknown> {
  const documents = documentsOfBranch(dialect, viewer, query);
  return documents === null ? sql`1 = 0` : sql`documents.id in (${documents})`;
}

/** The condition on `projects` for those that the viewer may know about. */
export function isKnownProject(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const own = sql`${dialect.list(viewer.kind === "anonymous" ? [] : [...viewer.projects.keys()])}`;
  return sql`(projects.private = false or ${dialect.isAmong(sql.ref("projects.id"), own)})`;
}

/** The language of a document's text: the recognised one, or that of the record, if someone has chosen it. */
export const textLanguage = sql`coalesce((select document_languages.language from document_languages
  where document_languages.document_id = documents.id), documents.language)`;

function exactly(
  dialect: Dialect,
  field: Exclude<ExactField, BranchField>,
  matches: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (field === "noindex") {
    const text = sql`case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end`;
    return matches(sql`(${text})`);
  }
  if (field === "text_language") return matches(textLanguage);
  if (typeof field === "string") return matches(sql`${sql.ref(`documents.${field}`)}`);
  if ("mention" in field) return mentioning(dialect, field.mention, matches);
  return sql`(documents.id in (select document_id from document_data where key = ${field.data})
    and exists (select 1 from ${dialect.textsOf(sql.ref("documents.data"), field.data)} as item where ${matches(
      sql`item.value`,
    )}))`;
}
