import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "../../context.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { type AnonymousViewer, type Guest, anonymous } from "../../http/request/viewer.ts";
import { digestOf } from "../../secrets/digest.ts";
import { addHistory } from "../documents/history-store.ts";
import { coveredBy } from "./coverage.ts";
import { type GuestLinkRow, addOpening, findOpenedLinks, findOpenings } from "./store.ts";

export const guestCookie = "quire_guest";

type GuestContext = Pick<Context, "config" | "database">;

/** What of a request says who sends it, and what it is about. */
interface Sent {
  method: string;
  headers: IncomingHttpHeaders;
  params: unknown;
  routeOptions: { url?: string | undefined };
}

/**
 * The visitor who sent a request without credentials of a person. If its address names a document and the visitor has
 * opened a guest link, what the link covers at this moment is found here, for every route. Guests only read. What they
 * open is in the history before they see it, so that they see nothing while nothing may be written.
 */
export async function visitorOf(context: GuestContext, request: Sent): Promise<AnonymousViewer> {
  const secret = findCookie(request.headers.cookie, guestCookie);
  if (secret === null || secret === "" || !["GET", "HEAD"].includes(request.method)) return anonymous;
  const document = documentNamedBy(request);
  if (document === null || context.config.readOnly) return anonymous;
  const digest = digestOf(secret);
  const links = await findOpenedLinks(context.database, digest);
  if (links.length === 0) return anonymous;
  return { kind: "anonymous", guest: await guestOf(context, links, digest, document) };
}

async function guestOf(
  { database }: GuestContext,
  links: readonly GuestLinkRow[],
  digest: string,
  id: number,
): Promise<Guest> {
  const covering: GuestLinkRow[] = [];
  for (const link of links) if ((await coveredBy(database, link, [id])).length > 0) covering.push(link);
  const [first] = covering;
  if (first === undefined) return { documents: new Map() };
  await noteOpening(database, { digest, link: first, document: id });
  const mayDownload = covering.some((link) => Boolean(link.may_download));
  return { documents: new Map([[id, { mayDownload }]]) };
}

/** Once for each document and session. */
async function noteOpening(
  database: Context["database"],
  { digest, link, document }: { digest: string; link: GuestLinkRow; document: number },
): Promise<void> {
  if ((await findOpenings(database, digest, [document])).has(document)) return;
  await database.write(async (writer) => {
    const opening = { digest, link_id: link.id, document_id: document };
    if (!(await addOpening(writer, opening))) return;
    const changes = { guest_link: [null, link.uuid], name: [null, link.name] } as const;
    await addHistory(writer, [{ documentId: document, userId: null, action: "opened", changes }]);
  });
}

/** The addresses that name a document. A stream asks for rights once and lasts, so guests have none. */
const ofDocument = /^\/(?:api\/documents|files\/documents|embed\/documents|documents|iiif)\/:id(?:\/|$)/;
const endless = "/api/documents/:id/process/events/";

function documentNamedBy({ routeOptions, params }: Sent): number | null {
  const { url = "" } = routeOptions;
  const { id, "*": rest = "" } = params as { id?: string; "*"?: string };
  if (url === endless) return null;
  if (ofDocument.test(url)) return /^\d{1,15}$/.test(id ?? "") ? Number(id) : null;
  if (url !== "/documents/*") return null;
  const [, named] = /^(\d{1,15})(?:[-/]|$)/.exec(rest) ?? [];
  return named === undefined ? null : Number(named);
}
