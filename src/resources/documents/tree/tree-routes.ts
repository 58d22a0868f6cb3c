import type { FastifyInstance } from "fastify";
import { TreeEntries, type TreeEntry } from "../../../contract/family.ts";
import type { Context } from "../../../context.ts";
import { ownAddress } from "../../../http/answer.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { ValidationError, integerParameter, textParameter } from "../../../http/fields/schema-shapes.ts";
import { pageLinks, perPage } from "../../../http/request/pagination.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { content } from "../../../http/response/representation.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { branchText } from "../branches.ts";
import { documentAddress } from "../present.ts";
import { type TreeChild, branchIn, presentBranch, readTree } from "./read-tree.ts";

const view: View = {
  name: "Document Tree",
  description:
    "The folders, archives, mailboxes and files in a folder or a container, and how many documents each has.",
  controls: {
    filters: [
      { name: "folder", label: "Folder", help: "As in Leak/Mails" },
      { name: "container", label: "Container", help: "The id of an archive, a mailbox or a mail" },
    ],
    orderings: [],
  },
};

const reading = {
  summary: "What is directly in a folder or a container",
  query: {
    folder: textParameter("the folder, with slashes between names; none for the root"),
    container: textParameter("in place of folder, the id of a container; a folder in it after a slash"),
    cursor: textParameter("a position in the list, from next or previous"),
    per_page: integerParameter("entries on a page: at most 100; 25 if not given"),
  },
  gives: TreeEntries,
  also: { 400: ValidationError },
};

/** Every entry has its documents counted. */
const maxPerPage = 100;

export function treeRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/tree/",
    view,
    get: {
      schema: reading,
      async answer(request, viewer) {
        const query = queryOf(request);
        const address = ownAddress(request);
        const { web } = addressesOf(config, request);
        const tree = await readTree(database, viewer, branchIn(query), {
          cursor: query.last("cursor"),
          limit: Math.min(perPage(query), maxPerPage),
        });
        const links = pageLinks(address, query, tree.neighbours);
        const { name, path, branch, documents, isExact: is_exact, children } = tree;
        const results = children.map((child) => presentChild(child, { web, address }));
        const itself = { name, ...presentBranch(branch), documents, is_exact, path };
        return { ...content({ ...itself, ...links, results }), ...links };
      },
    },
  });
}

function presentChild(
  { name, branch, row, documents, isExact: is_exact }: TreeChild,
  { web, address }: { web: string; address: string },
): TreeEntry {
  return {
    name,
    ...presentBranch(branch),
    documents,
    is_exact,
    document:
      row === null
        ? null
        : {
            id: row.id,
            title: row.title,
            canonical_url: documentAddress(web, row),
            original_extension: row.original_extension,
            page_count: row.page_count,
            status: row.status as NonNullable<TreeEntry["document"]>["status"],
          },
    url: documents === 0 ? null : `${address}?${branch.kind}=${encodeURIComponent(branchText(branch))}`,
  };
}
