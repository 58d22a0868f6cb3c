import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Database } from "../database/database.ts";
import { servedTypeOf } from "../files/content-types.ts";
import { documentFileKey, documentFolder } from "../files/keys.ts";
import { queryOf } from "../http/browsable/view.ts";
import { visitedSite } from "../http/browsable/visited-site.ts";
import { listStart } from "../http/request/cursor.ts";
import { type Viewer, mayWrite } from "../http/request/viewer.ts";
import { sendPage } from "../http/response/representation.ts";
import { html } from "../http/text/html.ts";
import { mapInSlices } from "../http/text/slices.ts";
import { type Addresses, addressesOf } from "../http/text/addresses.ts";
import { mayDownload, mayEdit, mayKnowPeople } from "../resources/documents/access.ts";
import { textLanguageOf } from "../resources/documents/pages/language-store.ts";
import { hasWords } from "../resources/documents/pages/page-reading-store.ts";
import { type StoredFile, findOriginal, findPdf } from "../resources/documents/files/original-file.ts";
import { documentAddress } from "../resources/documents/present.ts";
import { findLastNumbers } from "../resources/productions/read-productions.ts";
import { findProgress } from "../resources/documents/processing/progress-store.ts";
import { listReceipts } from "../resources/documents/receipt-store.ts";
import { citationOf } from "../resources/documents/record/citation.ts";
import { findCopies } from "../resources/documents/rewriting/copies-store.ts";
import { findPageTexts } from "../resources/documents/search/page-store.ts";
import { findWithheld } from "../resources/documents/withheld/box-store.ts";
import { type DocumentRow, accessFacts, idsIn } from "../resources/documents/store.ts";
import { busyStatuses, isPublic } from "../resources/document-states.ts";
import { sizeOf } from "../resources/embeds/find-embedded.ts";
import type { NoteRow } from "../resources/notes/store.ts";
import { findOrganizationNames } from "../resources/organizations/store.ts";
import { findProjectsFor } from "../resources/projects/list-store.ts";
import { findUsers } from "../resources/users/list-store.ts";
import { renderDescription } from "./description.ts";
import { documentHead } from "./document-head.ts";
import { type FileView, documentSecurityPolicy, renderDocumentPage, robotsFor } from "./document-page.ts";
import { projectPath } from "../resources/projects/present.ts";
import { shownDocument } from "./documents.ts";
import { readTheme, renderEmbeddedViewer } from "./embed-page.ts";
import { citationHead, citationLinks } from "./feeds/citations.ts";
import { familyShown } from "./family.ts";
import type { FileAccount } from "./file-account.ts";
import { type PlainPage, pageIn, plainPagesShown } from "./pages-without-scripts.ts";

/** A page or note of a document, which has a separate address. */
export interface Destination {
  /** Counting from 1. */
  page: number;
  /** A note on that page. Null for only the page. */
  note: NoteRow | null;
}

/** The maximum number of receipts of the file's history that the page reads. */
const receiptsRead = 100;

/** One address in the store to which addresses of files redirect; empty if they do not redirect. */
export async function fileStores({ config, files }: Pick<Context, "config" | "files">): Promise<string[]> {
  if (!config.s3Redirect) return [];
  const address = await files.signedAddress(documentFileKey(1, "a", "pdf"), servedTypeOf("pdf"), 60);
  return address === null ? [] : [address];
}

/** The two pages that show a document. The caller has to check that the viewer may see the document. */
export class DocumentPages {
  readonly #context: Pick<Context, "config" | "database" | "files" | "pdfs">;

  constructor(context: Pick<Context, "config" | "database" | "files" | "pdfs">) {
    this.#context = context;
  }

  /** Sends the page of a document, with the full viewer, at a destination or at its beginning. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    row: DocumentRow,
    destination: Destination | null,
  ): Promise<FastifyReply> {
    const { config, database, files } = this.#context;
    const addresses = addressesOf(config, request);
    const site = visitedSite(request);
    const query = queryOf(request);
    const names = await namesAround(database, request.viewer, row, addresses);
    const document = shownDocument(row, names);
    const cited = destination?.page ?? null;
    const organization = names.organizations.get(row.organization_id) ?? "";
    const citation = await citationOf(addresses, row, { page: cited, organization });
    const assets = assetsFor(row, addresses, site.home);
    await this.#addHeaders(reply, row, assets, "'none'");
    const found = await filesOf({ database, files }, row, assets);
    const hasPdf = found.some(({ extension }) => extension === "pdf");
    const imageType = imageTypeOf(row, hasPdf);
    this.#prepareImages(imageType);
    const first = destination?.page ?? pageIn(query.last("page"), row.page_count);
    const page = renderDocumentPage({
      site,
      document,
      description: row.description === "" ? null : await renderDescription(row.description),
      files: found,
      isOnlyRead: !mayDownload(request.viewer, accessFacts(row)),
      assets,
      imageType,
      fragment: destination === null ? null : fragmentOf(destination),
      canonical: documentAddress(addresses.web, row),
      links: html`${await documentHead(addresses, row, destination, site)} ${citationHead(citation)}`,
      citations: citationLinks(addresses, row.id, cited),
      record: `${addresses.api}/api/documents/${row.id}/?format=json`,
      browsable: `${addresses.api}/api/documents/${row.id}/?format=api`,
      csrfToken: mayWrite(request.viewer) ? request.viewer.csrfToken : null,
      account: await accountOf(database, request.viewer, row),
      family: await familyShown(database, request.viewer, row, addresses.web),
      plain: {
        query: query.last("q") ?? "",
        pages: await plainPages(database, row, assets, imageType, first),
      },
    });
    return sendPage(reply, page);
  }

  /** Sends the page for a frame on another site, with the small viewer. */
  async sendEmbedded(
    request: FastifyRequest,
    reply: FastifyReply,
    row: DocumentRow,
    destination: Destination | null,
  ): Promise<FastifyReply> {
    const addresses = addressesOf(this.#context.config, request);
    const site = visitedSite(request);
    const query = queryOf(request);
    const assets = assetsFor(row, addresses, site.home);
    await this.#addHeaders(reply, row, assets, "*");
    const imageType = imageTypeOf(
      row,
      row.asset_url !== null || (await findPdf(this.#context.files, row)) !== null,
    );
    this.#prepareImages(imageType);
    const page = destination?.page ?? pageIn(query.last("page"), row.page_count);
    const fragment =
      destination !== null || page > 1 ? fragmentOf(destination ?? { page, note: null }) : null;
    const { width, height } = sizeOf(row, page - 1);
    const markup = renderEmbeddedViewer({
      site,
      theme: readTheme(query.last("theme")),
      id: row.id,
      title: row.title,
      language: await textLanguageOf(this.#context.database.reader, row),
      robots: robotsFor({ noindex: Boolean(row.noindex), adminNoindex: Boolean(row.admin_noindex) }),
      links: await documentHead(addresses, row, destination, site),
      href: documentAddress(addresses.web, row),
      assets,
      imageType,
      fragment,
      plain: {
        page,
        pageCount: row.page_count,
        image: imageAddress(row, assets, imageType, page),
        width,
        height,
      },
      note: destination?.note ?? null,
    });
    return sendPage(reply, markup);
  }

  /** The page's script asks for images as soon as it runs. */
  #prepareImages(imageType: string | null): void {
    if (imageType === "webp") void this.#context.pdfs.warm();
  }

  async #addHeaders(
    reply: FastifyReply,
    row: DocumentRow,
    assets: string,
    framedBy: "'none'" | "*",
  ): Promise<void> {
    const robots = robotsFor({ noindex: Boolean(row.noindex), adminNoindex: Boolean(row.admin_noindex) });
    if (robots !== null) reply.header("x-robots-tag", robots);
    const stores = row.asset_url === null ? await fileStores(this.#context) : [];
    reply.header("content-security-policy", documentSecurityPolicy([assets, ...stores], framedBy));
  }
}

/** The pages that a browser without scripts shows. */
async function plainPages(
  database: Database,
  row: DocumentRow,
  assets: string,
  imageType: string | null,
  first: number,
): Promise<PlainPage[]> {
  const length = Math.max(0, Math.min(plainPagesShown, row.page_count - first + 1));
  const numbers = Array.from({ length }, (_, index) => first + index);
  const found = await findPageTexts(
    database,
    row.id,
    numbers.map((page) => page - 1),
  );
  const texts = new Map(found.map(({ page, text }) => [page + 1, text]));
  return numbers.map((page) => {
    const image = imageAddress(row, assets, imageType, page);
    const { width, height } = sizeOf(row, page - 1);
    return { page, image, width, height, text: texts.get(page) ?? "" };
  });
}

async function accountOf(database: Database, viewer: Viewer, row: DocumentRow): Promise<FileAccount | null> {
  if (!mayEdit(viewer, accessFacts(row))) return null;
  const found = await findProgress(database, row.id);
  const { rows } = await listReceipts(database, row.id, "all", { ...listStart, reverse: true }, receiptsRead);
  // A receipt may list every page of a long document.
  const receipts = await mapInSlices(
    rows,
    ({ details, ...receipt }) =>
      Object.assign(receipt, { details: JSON.parse(details) as Record<string, unknown> }),
    1,
  );
  const { step = null, done = null, total = null } = found ?? {};
  const numbers = await findLastNumbers(database, row.id);
  return { progress: busyStatuses.includes(row.status) ? { step, done, total } : null, receipts, numbers };
}

/**
 * The files in our own store, or at the address that an imported record names, where every document has a PDF. The
 * PDF comes first, then its copy with recognised words, then the original of another type, then the text.
 */
async function filesOf(
  { database, files }: Pick<Context, "database" | "files">,
  row: DocumentRow,
  assets: string,
): Promise<FileView[]> {
  const slug = encodeURIComponent(row.slug);
  const text = { href: `${assets}${documentFolder(row.id)}/${slug}.txt`, extension: "txt", bytes: null };
  const texts = row.page_count > 0 ? [text] : [];
  if (row.asset_url !== null) {
    const href = `${assets}${documentFileKey(row.id, slug, "pdf")}`;
    return [{ href, extension: "pdf", bytes: null }, ...texts];
  }
  const pdf = await findPdf(files, row);
  const original = row.original_extension === "pdf" ? null : await findOriginal(files, row);
  if (pdf === null && original === null) return [];
  const viewed = (file: StoredFile | null): FileView[] =>
    file === null ? [] : [{ href: `${assets}${file.key}`, extension: file.extension, bytes: file.size }];
  const isSearchable = pdf !== null && (await hasWords(database, row.id));
  const copies = viewed(isSearchable ? pdf : null).map(({ href, extension }) => {
    return { href: `${href}?text=1`, extension, bytes: null, isSearchable };
  });
  return [...viewed(pdf), ...copies, ...viewed(original), ...texts];
}

/**
 * The address below which the page of a document loads its files: absolute, or a path of this site. A browser sends its
 * cookie only to this site. So if the document is not public, its files in our store come from this site, even if the
 * configured address for files is elsewhere.
 */
function assetsFor(row: DocumentRow, { assets }: Addresses, home: string): string {
  return row.asset_url ?? (isPublic(row) ? assets : `${home}files/`);
}

/** The extension of page images. An external store, which an imported record may name, has those of DocumentCloud. */
function imageTypeOf(row: DocumentRow, hasPdf: boolean): string | null {
  if (!hasPdf) return null;
  return row.asset_url === null ? "webp" : "gif";
}

function imageAddress(row: DocumentRow, assets: string, type: string | null, page: number): string | null {
  if (type === null) return null;
  return `${assets}${documentFolder(row.id)}/pages/${encodeURIComponent(row.slug)}-p${page}-large.${type}`;
}

/** The fragment that points to a destination in the document. */
function fragmentOf({ page, note }: Destination): string {
  return `#document/p${page}${note === null ? "" : `/a${note.id}`}`;
}

/**
 * The language of a document, and the names of its organization, contributor, projects and redacted copies. Omits what
 * the viewer may not see.
 */
async function namesAround(
  database: Database,
  viewer: Viewer,
  row: DocumentRow,
  { web }: Addresses,
): Promise<Parameters<typeof shownDocument>[1]> {
  const ids = [...new Set([...idsIn(row.public_projects), ...idsIn(row.private_projects)])];
  const projects = [...(await findProjectsFor(database, viewer, ids)).values()];
  const owner = (await findUsers(database, [row.user_id])).get(row.user_id);
  const { original, copies } = await findCopies(database, viewer, row.id);
  const linked = (other: DocumentRow) => ({ title: other.title, href: documentAddress(web, other) });
  return {
    organizations: await findOrganizationNames(database, [row.organization_id]),
    contributor: (mayKnowPeople(viewer) && owner?.name) || "",
    projects: projects.map((project) => ({ title: project.title, href: `${web}${projectPath(project)}` })),
    original: original && linked(original),
    copies: copies.map(linked),
    withheld: await findWithheld(database.reader, row.id),
    language: await textLanguageOf(database.reader, row),
  };
}
