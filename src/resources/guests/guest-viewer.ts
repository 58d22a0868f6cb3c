import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "../../context.ts";
import { findCookie } from "../../http/request/cookies.ts";
import type { Guest, Viewer } from "../../http/request/viewer.ts";
import { digestOf } from "../../secrets/digest.ts";
import { addHistory } from "../documents/history-store.ts";
import { findDocument } from "../documents/store.ts";
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
 * Whose rights a request has: those of its sender, or of the guest in whose browser it was made. If its address names a
 * document and the browser has opened a guest link, what the link covers at this moment is found here, for every route.
 * Guests only read. What they open is in the history before they see it, so that they see nothing while nothing may be
 * written.
 *
 * A person who has signed in is a guest only for a document that their account does not see. So a link never adds to
 * the rights of an account: each request has the rights of the one or of the other. Programs have no guest links.
 */
export async function visitorOf(context: GuestContext, request: Sent, sender: Viewer): Promise<Viewer> {
  if (sender.kind === "user" && sender.csrfToken === null) return sender;
  const secret = findCookie(request.headers.cookie, guestCookie);
  if (secret === null || secret === "" || !["GET", "HEAD"].includes(request.method)) return sender;
  const document = documentNamedBy(request);
  if (document === null || context.config.readOnly) return sender;
  const digest = digestOf(secret);
  const links = await findOpenedLinks(context.database, digest);
  if (links.length === 0) return sender;
  if (sender.kind === "anonymous")
    return { kind: "anonymous", guest: await guestOf(context, links, { digest, document, userId: null }) };
  if ((await findDocument(context.database, sender, document)) !== null) return sender;
  const guest = await guestOf(context, links, { digest, document, userId: sender.id });
  return guest.documents.size === 0 ? sender : { kind: "anonymous", guest, account: sender };
}

interface Opening {
  digest: string;
  document: number;
  /** The person who has signed in in the guest's browser. */
  userId: number | null;
}

async function guestOf(
  { database }: GuestContext,
  links: readonly GuestLinkRow[],
  opening: Opening,
): Promise<Guest> {
  const { document: id } = opening;
  const covering: GuestLinkRow[] = [];
  for (const link of links) if ((await coveredBy(database, link, [id])).length > 0) covering.push(link);
  const [first] = covering;
  if (first === undefined) return { documents: new Map() };
  await noteOpening(database, { ...opening, link: first });
  const mayDownload = covering.some((link) => Boolean(link.may_download));
  return { documents: new Map([[id, { mayDownload }]]) };
}

/** Once for each document and session. */
async function noteOpening(
  database: Context["database"],
  { digest, link, document, userId }: Opening & { link: GuestLinkRow },
): Promise<void> {
  if ((await findOpenings(database, digest, [document])).has(document)) return;
  await database.write(async (writer) => {
    const opening = { digest, link_id: link.id, document_id: document };
    if (!(await addOpening(writer, opening))) return;
    const changes = { guest_link: [null, link.uuid], name: [null, link.name] } as const;
    await addHistory(writer, [{ documentId: document, userId, action: "opened", changes }]);
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
