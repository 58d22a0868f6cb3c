import { statuses } from "./document.ts";
import { type Static, Type, enumeration, id, listOf, nullable, uri } from "./shape.ts";

/** A container around a document. */
export const FamilyContainer = Type.Object(
  { id: id(), title: Type.String(), canonical_url: uri("its page for people") },
  { $id: "FamilyContainer" },
);

/** A document in a container. */
export const FamilyChild = Type.Object(
  {
    id: id(),
    title: Type.String(),
    canonical_url: uri("its page for people"),
    path: Type.String({ description: "its name in the container, with folders" }),
    position: Type.Integer({ minimum: 0, description: "its number in the container" }),
    bytes: Type.Integer({ minimum: 0, description: "the size of its file" }),
    original_extension: Type.String(),
    page_count: Type.Integer({ minimum: 0 }),
    status: enumeration(statuses),
    children: Type.Integer({ minimum: 0, description: "how many documents are directly in it" }),
  },
  { $id: "FamilyChild" },
);

/** A mail in a conversation. */
export const FamilyMail = Type.Object(
  {
    id: id(),
    title: Type.String(),
    canonical_url: uri("its page for people"),
    from: Type.Array(Type.String(), { description: "addresses" }),
    date: Type.String({ description: "UTC, ISO 8601; empty if the mail states none" }),
    is_guessed: Type.Boolean({
      description: "whether it belongs to the conversation by its subject and its participants only",
    }),
  },
  { $id: "FamilyMail" },
);

/** What a document is part of, and what is part of it, as far as the viewer may see it. */
export const DocumentFamily = Type.Object(
  {
    containers: Type.Array(FamilyContainer, {
      description: "those around the document, the outermost first",
    }),
    path: nullable(
      Type.String({ description: "its name in its container; null if it is part of no document" }),
    ),
    position: nullable(Type.Integer({ minimum: 0, description: "its number in its container" })),
    children: Type.Array(FamilyChild, { description: "the documents directly in it, in order; at most 100" }),
    next: nullable(uri("the address of the next children")),
    redaction: Type.Object(
      {
        removes: Type.Integer({ minimum: 0, description: "those made of the files attached to a PDF" }),
        keeps: Type.Integer({ minimum: 0, description: "all others in it, at any depth" }),
      },
      { description: "how many documents a redaction in place removes with it, and leaves as they are" },
    ),
    thread: Type.Array(FamilyMail, {
      description:
        "the mails of the conversation that the document belongs to, the oldest first; empty without others",
    }),
  },
  { $id: "DocumentFamily" },
);
export type DocumentFamily = Static<typeof DocumentFamily>;

/*
 * The tree of folders and containers.
 */

const folder = nullable(
  Type.String({ description: "the folder, as the parameter and the search field folder name it" }),
);
const container = nullable(
  Type.String({
    description:
      "the id of the container, with the folder in it after a slash, as the parameter and the search field " +
      "container name it",
  }),
);
const counted = {
  documents: Type.Integer({ minimum: 0, description: "how many documents are in it, at any depth" }),
  is_exact: Type.Boolean({ description: "false if there are more documents than that" }),
};

/** A branch on the way up to the root of the tree. */
export const TreeBranch = Type.Object({ name: Type.String(), folder, container }, { $id: "TreeBranch" });
export type TreeBranch = Static<typeof TreeBranch>;

/** A document in a branch. */
export const TreeDocument = Type.Object(
  {
    id: id(),
    title: Type.String(),
    canonical_url: uri("its page for people"),
    original_extension: Type.String(),
    page_count: Type.Integer({ minimum: 0 }),
    status: enumeration(statuses),
  },
  { $id: "TreeDocument" },
);

/** A folder or a document in a branch. A document with others in it is a branch itself. */
export const TreeEntry = Type.Object(
  {
    name: Type.String({ description: "the name of the folder, or of the file" }),
    folder,
    container,
    ...counted,
    document: nullable(TreeDocument),
    url: nullable(uri("the list of what is in it; null for a document in which nothing is")),
  },
  { $id: "TreeEntry" },
);
export type TreeEntry = Static<typeof TreeEntry>;

export const TreeEntries = listOf("TreeEntries", TreeEntry, {
  name: Type.String({ description: "the name of the branch; empty for the root" }),
  folder,
  container,
  ...counted,
  path: Type.Array(TreeBranch, { description: "the branches around it, from below the root on" }),
});

/** What a page or a program that uploads a folder says has become of a file. */
export const uploadOutcomes = ["added", "known", "skipped", "failed"] as const;

/** How it says that the upload has ended. */
export const uploadEnds = ["done", "stopped"] as const;

/** A file of a folder that is uploaded. */
export interface ReportedFile {
  path: string;
  outcome: (typeof uploadOutcomes)[number];
  document?: number;
  reason?: string;
}
