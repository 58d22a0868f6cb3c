import { statuses } from "./document.ts";
import { documentLimits, reasonLimits } from "./limits.ts";
import { type Static, Type, dateTime, enumeration, id, link, nullable, pageNumber } from "./shape.ts";

/** How far the processing of a document is. */
export const DocumentProgress = Type.Object(
  {
    status: enumeration(statuses),
    step: nullable(Type.String({ description: "the current step" })),
    pages_done: nullable(Type.Integer()),
    pages: nullable(Type.Integer()),
    at: nullable(dateTime("the time of this progress")),
  },
  { $id: "DocumentProgress" },
);
export type DocumentProgress = Static<typeof DocumentProgress>;

/** An event of a stream that follows several documents. */
export type ProgressOfDocument = DocumentProgress & { id: number };

export const DocumentError = Type.Object(
  { id: id(), created_at: dateTime(), message: Type.String() },
  { $id: "DocumentError" },
);
export type DocumentError = Static<typeof DocumentError>;

/** A step in the history of a document's file. Its further members depend on the step. */
export const Receipt = Type.Object(
  {
    id: id(),
    at: dateTime(),
    step: Type.String({ description: "received, read, indexed, cancelled and so on" }),
    outcome: enumeration(["done", "failed"]),
    milliseconds: Type.Integer(),
    next: nullable(Type.String({ description: "the step that follows automatically" })),
    message: Type.Optional(Type.String({ description: "why it failed" })),
  },
  { $id: "Receipt", additionalProperties: true },
);
export type Receipt = Static<typeof Receipt>;

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const box = {
  x1: fraction("left edge, as a fraction of the page's width"),
  x2: fraction("right edge"),
  y1: fraction("upper edge, as a fraction of the page's height"),
  y2: fraction("lower edge"),
};

/** A box on a page whose content is to be removed. */
export const Redaction = Type.Object(
  {
    ...box,
    page_number: pageNumber(),
    reason: Type.Optional(
      Type.String({ maxLength: reasonLimits.code, description: "the code of the reason why" }),
    ),
  },
  { $id: "Redaction" },
);
export type Redaction = Static<typeof Redaction>;

const drawnBesides = {
  show_reasons: Type.Optional(Type.Boolean({ description: "draws the codes of the reasons on the boxes" })),
  add_index: Type.Optional(Type.Boolean({ description: "adds a last page that lists what was withheld" })),
  file_hash: Type.Optional(
    Type.String({ description: "the SHA-1 of the PDF that the boxes were drawn on: no other is redacted" }),
  ),
};

/** What is asked for with a redaction, if it is not the list of boxes alone. */
export const RequestedRedaction = Type.Object(
  { redactions: Type.Array(Redaction), ...drawnBesides },
  {
    $id: "RequestedRedaction",
    examples: [{ redactions: [{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }], add_index: true }],
  },
);
export type RequestedRedaction = Static<typeof RequestedRedaction>;

/** What is asked for with a redacted copy of a document. */
export const RequestedCopy = Type.Object(
  {
    redactions: Type.Array(Redaction),
    title: Type.Optional(
      Type.String({ maxLength: documentLimits.title, description: "the title of the copy" }),
    ),
    access: Type.Optional(enumeration(["private", "organization", "public"], "who sees the copy")),
    original_access: Type.Optional(
      enumeration(["private"], "hides the original from others once the copy is made"),
    ),
    ...drawnBesides,
  },
  {
    examples: [{ redactions: [{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }], access: "public" }],
  },
);
export type RequestedCopy = Static<typeof RequestedCopy>;

/** How a document is related to redacted copies, as far as the viewer may see them. */
export const RedactedCopies = Type.Object(
  {
    original: nullable(id("the document of which this one is a redacted copy")),
    copies: Type.Array(id(), { description: "the redacted copies of this document" }),
  },
  { $id: "RedactedCopies" },
);
export type RedactedCopies = Static<typeof RedactedCopies>;

/** A redaction that waits or runs. */
export const RedactionUnderWay = Type.Object(
  {
    id: id("the document whose file is redacted, or the copy that is being made"),
    title: Type.String(),
    original: nullable(id("the document of which this one is to be a redacted copy")),
    user: id("the user who asked for the redaction"),
    status: enumeration(["waiting", "running"]),
    pages_done: nullable(Type.Integer({ description: "how many pages have been recognised again" })),
    pages: nullable(Type.Integer({ description: "how many pages have boxes; null until that is known" })),
    can_cancel: Type.Boolean({ description: "whether you may cancel it" }),
  },
  { $id: "RedactionUnderWay" },
);
export type RedactionUnderWay = Static<typeof RedactionUnderWay>;

/** Numbers and addresses that are recognised by their form. */
export const patternKinds = [
  "birth_date",
  "card",
  "email",
  "iban",
  "money",
  "phone",
  "plate",
  "social_security",
  "tax",
] as const;
export type PatternKind = (typeof patternKinds)[number];

/** A place where words stand in a document. */
export const Mention = Type.Object(
  {
    text: Type.String({ description: "as the page has it" }),
    before: Type.String({ description: "the words before it on the page" }),
    after: Type.String({ description: "the words after it" }),
    boxes: Type.Array(Type.Object(box), { description: "boxes that cover it: one for each line" }),
  },
  { $id: "Mention" },
);
export type Mention = Static<typeof Mention>;

/** The mentions of words in a part of a document. */
export const Mentions = Type.Object(
  {
    next: link,
    previous: link,
    pages_without_text: Type.Array(pageNumber(), { description: "pages on which nothing can be found" }),
    results: Type.Array(
      Type.Object({
        page_number: pageNumber(),
        mentions: Type.Array(Mention, { description: "in reading order" }),
        unplaced: Type.Integer({
          description: "how many more the page's text has, whose position is unknown",
        }),
      }),
    ),
  },
  { $id: "Mentions", description: "of a part of the document: next leads to the rest" },
);
export type Mentions = Static<typeof Mentions>;

const turning = Type.Object({
  type: enumeration(["rotate"]),
  angle: enumeration(["cc", "ccw", "hw"], "cc: clockwise. ccw: counter-clockwise. hw: half a turn"),
});

/** An item of the list that describes the new pages of a document, as clients send it. */
export const RequestedModification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 0: 0-2,5" }),
  id: Type.Optional(id("the id of another document that the pages come from")),
  modifications: Type.Optional(Type.Array(turning)),
});
export type RequestedModification = Static<typeof RequestedModification>;

/** Such an item, as the answer shows it. */
export const Modification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 1" }),
  slug: Type.String({ description: "the slug of the document that the pages come from" }),
  page_spec: Type.Array(Type.Union([Type.Integer(), Type.Array(Type.Integer())]), {
    description: "pages, and ranges as pairs, from 0",
  }),
  page_length: Type.Integer(),
  id: Type.Optional(id()),
  modifications: Type.Optional(Type.Array(turning)),
});

export const importKinds = ["files", "records", "server", "mirror", "watch", "container", "upload"] as const;
export type ImportKindName = (typeof importKinds)[number];

export const importStates = ["running", "interrupted", "done", "stopped", "failed"] as const;
export type ImportState = (typeof importStates)[number];

/** The state of a file: of its document if the import has made one, or else its outcome in the import. */
export const importFileStates = [
  "waiting",
  "read",
  "unreadable",
  "deleted",
  "changed",
  "known",
  "skipped",
  "failed",
] as const;
export type ImportFileState = (typeof importFileStates)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

const counts = {
  added: count("files that became documents"),
  changed: count("documents that were known and have changed"),
  known: count("files that were known"),
  skipped: count("files that cannot be documents"),
  failed: count("files that could not be taken in"),
};

/** An import, while it runs and later. */
export const Import = Type.Object(
  {
    id: id(),
    kind: enumeration(
      importKinds,
      "files of a folder, records, a server's list, a mirror, a watched folder, what is in an archive, or an upload",
    ),
    name: Type.String({ description: "what was named on the command line, or the title of the archive" }),
    document: nullable(id("the archive or the mailbox")),
    user: nullable(id("the owner of the documents, if they have one owner")),
    version: Type.String({ description: "the version of Quire that ran it" }),
    state: enumeration(
      importStates,
      "interrupted: its process was killed, or the page of the upload was closed",
    ),
    started_at: dateTime(),
    ended_at: nullable(dateTime()),
    seen: nullable(count("how many files there are; null if that is not known")),
    ...counts,
  },
  { $id: "Import" },
);
export type Import = Static<typeof Import>;

const rates = (description: string) =>
  Type.Object(
    { now: Type.Number({ description: "in the last minute" }), since_start: Type.Number() },
    { description },
  );

/** An import with how far its documents have come. */
export const ImportProgress = Type.Object(
  {
    ...Import.properties,
    waiting: count("documents that wait to be read, or are being read"),
    read: count("documents that have been read"),
    unreadable: count("documents that could not be read"),
    deleted: count("documents that were deleted since"),
    per_second: Type.Object({
      taken_in: rates("documents that were made"),
      read: rates("documents that were read, or could not be"),
    }),
    seconds_left: nullable(Type.Integer({ minimum: 0, description: "an estimate; null if it is not known" })),
    kinds: Type.Array(
      Type.Object({
        extension: Type.String({ description: "in lower case, without a dot; empty without one" }),
        ...(Object.fromEntries(
          importFileStates.map((state) => [state, count("how many files")] as const),
        ) as Record<ImportFileState, ReturnType<typeof count>>),
      }),
      { description: "the files by their extension, the most frequent first" },
    ),
  },
  { $id: "ImportProgress" },
);
export type ImportProgress = Static<typeof ImportProgress>;

/** A file of an import, and what has become of it. */
export const ImportFile = Type.Object(
  {
    id: id(),
    path: Type.String(),
    extension: Type.String({ description: "in lower case, without a dot; empty without one" }),
    state: enumeration(importFileStates),
    reason: nullable(Type.String({ description: "why it was skipped, or could not be taken in or read" })),
    document: nullable(id("its document")),
    title: nullable(Type.String({ description: "the title of its document" })),
    canonical_url: link,
  },
  { $id: "ImportFile" },
);
export type ImportFile = Static<typeof ImportFile>;
