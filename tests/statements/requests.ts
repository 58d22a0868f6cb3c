import { encodeCursor } from "../../src/http/request/cursor.ts";
import { orderingNames } from "../../src/resources/documents/list/orderings.ts";
import { encodeSearchCursor } from "../../src/resources/documents/search/search-request.ts";

/** Kinds of viewer, for whom statements differ. */
export const viewers = ["anonymous", "user", "collaborator", "administrator"] as const;
/** The kinds, and viewers in so many organizations, or with so many documents, that statements differ again. */
export type ViewerName = (typeof viewers)[number] | "member of many" | "reader of many" | "guest";

export interface Asked {
  viewer: ViewerName;
  address: string;
}

const timestamp = "2025-01-31T12:00:00.000000Z";

/** Ways to read a page: forwards or backwards, from an end of the list or from a position in it. */
const ways = [false, true].flatMap((reverse) => [false, true].map((fromEnd) => ({ reverse, fromEnd })));

const filters = [
  "",
  "user=1",
  "user=1,2&created_at__lt=2026-01-01",
  "organization=1&page_count=1",
  "organization=1,2&page_count__gt=0&page_count__lt=9",
  "project=1&created_at__gt=2020-01-01",
  "id__in=1,2,3",
  "id__in=2",
  "parent=1",
  "parent=none",
  "status=success",
  "access=private,organization&status=success,error",
];

const orderings = [...orderingNames, "data_k", "-data_k"];

/**
 * Requests for pages of documents: every pair of ordering, way, viewer, filter and representation, except that filters
 * meet each kind of ordering (by id, by another column, by a key of data) instead of each ordering.
 */
export function documentRequests(): Asked[] {
  const all = orderings.flatMap((ordering) =>
    ways.flatMap((way) =>
      viewers.flatMap((viewer) =>
        filters.flatMap((filter) =>
          ["", "expand=user"].map((expand) => ({ ordering, way, viewer, filter, expand })),
        ),
      ),
    ),
  );
  return covering(all, ({ ordering, way, viewer, filter, expand }) => {
    const others = [`${way.reverse} ${way.fromEnd}`, viewer, `?${expand}`];
    return [...pairsOf([ordering, ...others]), ...pairsOf([`&${filter}`, kindOf(ordering), ...others])];
  })
    .map(({ ordering, way, viewer, filter, expand }): Asked => ({
      viewer,
      address: `${documents}${joined(`ordering=${ordering}`, filter, expand, cursorOf(ordering, way))}`,
    }))
    .concat(rareDocumentRequests);
}

const documents = "/api/documents/?per_page=2&";
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("&");
const manyIds = Array.from({ length: 30 }, (_, index) => index + 1).join();
/** With these a viewer has more audiences than a statement has ranges. */
export const manyOrganizations = Array.from({ length: 61 }, (_, index) => index + 11);

const rareDocumentRequests: Asked[] = [
  ...["title", "updated_at", "data_k", "-data_k"].flatMap((ordering) =>
    (["member of many", "reader of many"] as const).flatMap((viewer) =>
      ways.map((way) => ({ viewer, address: `${documents}ordering=${ordering}&${cursorOf(ordering, way)}` })),
    ),
  ),
  // Positions among the documents without a value.
  ...["data_k", "-data_k"].flatMap((ordering) =>
    [false, true].map((reverse) => ({
      viewer: "user" as const,
      address: `${documents}ordering=${ordering}&${cursorAt(ordering, reverse, null)}`,
    })),
  ),
  // The narrowest index depends on the filter if the order is that of ids.
  ...filters.map((filter) => ({ viewer: "user" as const, address: `${documents}${filter}` })),
  ...["", "project=1,2&", "user=1,2&", "organization=1,2&"].map((filter) => ({
    viewer: "collaborator" as const,
    address: `${documents}${filter}cursor=${encodeURIComponent(btoa("o=1&p=2"))}`,
  })),
  ...[`organization=${manyOrganizations.join()}`, `id__in=${manyIds}`].map((filter) => ({
    viewer: "administrator" as const,
    address: `${documents}${filter}`,
  })),
];

function kindOf(ordering: string): string {
  if (/^-?data_/.test(ordering)) return "by data";
  return /^-?id$/.test(ordering) ? "by id" : "by column";
}

function cursorOf(ordering: string, { reverse, fromEnd }: (typeof ways)[number]): string {
  if (fromEnd) return reverse ? "cursor=cj0x" : "";
  return cursorAt(ordering, reverse, valueIn(ordering));
}

function cursorAt(ordering: string, reverse: boolean, value: string | number | null): string {
  const cursor = { reverse, offset: 0, ordering: ordering === "id" ? null : ordering, key: { id: 3, value } };
  return `cursor=${encodeURIComponent(encodeCursor(cursor))}`;
}

/** A value with rows before and after it. */
function valueIn(ordering: string): string | number | null {
  if (ordering.endsWith("id")) return null;
  if (ordering.endsWith("page_count")) return 1;
  return ordering.endsWith("_at") ? timestamp : "b";
}

function pairsOf(values: readonly string[]): string[] {
  return values.flatMap((value, index) => values.slice(index + 1).map((other) => `${value} × ${other}`));
}

/** Items among which every feature of the items occurs. */
function covering<T>(items: readonly T[], featuresOf: (item: T) => readonly string[]): T[] {
  const left = items.map((item) => ({ item, features: new Set(featuresOf(item)) }));
  const chosen: T[] = [];
  for (;;) {
    const best = left.reduce((one, other) => (other.features.size > one.features.size ? other : one));
    if (best.features.size === 0) return chosen;
    chosen.push(best.item);
    const covered = [...best.features];
    for (const { features } of left) for (const feature of covered) features.delete(feature);
  }
}

const searchOrderings = ["created_at", "updated_at", "page_count", "title", "source", "id", "data_k"].flatMap(
  (name) => [name, `-${name}`],
);

const facets =
  "access,status,user,organization,language,text_language,original_extension,year,project,data,data_k,mention,mention_iban".split(
    ",",
  );

/** Each condition of the query language, many of them together. */
const queries = [
  "harbour title:harbour source:harbour description:harbour text:harbour page_no_2:harbour",
  '"port harbour" OR "port harbour"~2 OR title:"port harbour" OR text:harb* OR port^2',
  "h?rbour harbor~ title:p*t",
  "h?rbour OR NOT harbor~1",
  "harbour NOT port -title:port",
  "title:* source:* description:* -text:* -page_no_2:*",
  "status:success access:public language:eng text_language:eng slug:a original_extension:pdf noindex:false tag:a -data_j:b",
  'mention:a mention:"a@example.org" -mention_iban:b mention:* mention_phone:1* mention_date:[2020 TO 2021} mention_birth_date:{2020 TO 2021]',
  "status:s* access:p* language:e* text_language:e* slug:a* original_extension:p* noindex:f* tag:a* data_k:*",
  "parent:1 -parent:*",
  "user:1 organization:(1 2) project:1 id:(1 OR 2 OR 3)",
  ...["[1 TO 2]", "{0 TO 9}"].map((range) =>
    ["user", "organization", "project", "id", "page_count"].map((field) => `${field}:${range}`).join(" "),
  ),
  "created_at:[2024 TO 2026] updated_at:[2024 TO 2026] (status:error OR page_count:1)",
  "harbour (status:success OR -user:1) project:[1 TO *]",
  "*",
];

/**
 * Requests for searches: every pair of ordering, start, viewer, words and facets; each condition of the query language;
 * and everything else that searches: pages within a document, suggestions, lists of notes.
 */
export function searchRequests(): Asked[] {
  const starts = ["start", "value", "no value"];
  const all = ["score", "-score", ...searchOrderings].flatMap((ordering) =>
    starts.flatMap((start) =>
      viewers.flatMap((viewer) =>
        ["q=harbour", "q=harbour+-port", "q=harbour+port", `q=${manyWords}`, ""].flatMap((words) =>
          ["", `facets=${facets.join()}`].map((counts) => ({ ordering, start, viewer, words, counts })),
        ),
      ),
    ),
  );
  const possible = all.filter(({ ordering, start }) => start !== "no value" || ordering.includes("data_"));
  const chosen = covering(possible, ({ ordering, start, viewer, words, counts }) =>
    pairsOf([ordering, start, viewer, `words ${words}`, `counts ${counts}`]),
  );
  const search = "/api/documents/search/?";
  return [
    ...chosen.map(({ ordering, start, viewer, words, counts }) => ({
      viewer,
      address: `${search}${joined(words, `sort=${ordering}`, counts, searchCursorOf(ordering, start, words))}`,
    })),
    ...queries.map((query) => ({
      viewer: "user" as const,
      address: `${search}q=${encodeURIComponent(query)}`,
    })),
    ...queries.slice(0, 6).flatMap((query) =>
      [`/api/documents/1/search/?q=`, `${search}hl=true&q=`, "/api/notes/?q="].map((address) => ({
        viewer: "collaborator" as const,
        address: `${address}${encodeURIComponent(query)}`,
      })),
    ),
    ...viewers.flatMap((viewer) => [
      { viewer, address: `${search}q=harbour+port` },
      { viewer, address: `${search}q=-port&${searchCursorOf("created_at", "value", "")}` },
      { viewer, address: `${search}q=${manyWords}` },
      { viewer, address: "/api/documents/search/suggest/?q=harb" },
      { viewer, address: `${search}suggest=true&q=harbuor` },
      { viewer, address: `${search}like=1` },
      { viewer, address: `${search}like_text=harbour+port` },
      { viewer, address: "/api/documents/1/search/?paged=true&q=harbour" },
    ]),
    ...facets.map((facet) => ({ viewer: "anonymous" as const, address: `${search}facets=${facet}` })),
    ...viewers.flatMap((viewer) =>
      [...scanned, ...branches, ...searchOrderings.map((ordering) => `user:1&sort=${ordering}`)].map(
        (query) => ({
          viewer,
          address: `${search}q=${query}`,
        }),
      ),
    ),
    { viewer: "user", address: `${search}version=1.0&page=2&per_page=1&q=harbour` },
  ];
}

/** Filters, for a viewer who may see many documents: they find few, or many. */
export const filteredRequests: Asked[] = ["language:eng+access:public", "language:eng"].map((query) => ({
  viewer: "reader of many",
  address: `/api/documents/search/?q=${query}`,
}));

/** The fields of a search that name branches of the tree. */
const branches = ["folder:a", "folder:a*", "container:2", "container:*"];

/** What chooses the index that a search without words reads. */
const scanned = [
  "user:1",
  "user:1+harbour",
  "user:1+-harbour",
  "organization:1",
  "page_count:[1+TO+2]",
  "title:b",
  "language:eng+-original_extension:docx",
  ...["created_at", "updated_at"].map((field) => `${field}:[2024+TO+2026]`),
];

/** So many that the statement has their weights in rows. */
const manyWords = "harbour+port+a+b+c+of";

function searchCursorOf(ordering: string, start: string, words: string): string {
  if (start === "start") return "";
  const name = ordering.replace("-", "");
  const isNumber = ["score", "id", "page_count"].includes(name);
  const value = start === "no value" ? null : isNumber ? 2 : name.endsWith("_at") ? timestamp : "b";
  const sought = words.split("+").filter((word) => !word.startsWith("-")).length;
  const totals = name === "score" ? [3, 10, ...(sought > 1 ? [6, ...Array(sought).fill(1)] : [])] : null;
  return `cursor=${encodeSearchCursor({ value, created_at: timestamp, id: 3, totals, counted: null, ahead: [] })}`;
}
