import { type ApiError, notFound, permissionDenied } from "../../errors.ts";
import type { RunOfViewer } from "../../http/request/viewer.ts";

/** The addresses that name no document. What they show and change is limited to the run's documents by the handlers. */
const ofDocuments: ReadonlySet<string> = new Set([
  "/api/documents/",
  "/api/documents/process/",
  "/api/documents/search/",
]);

/** The addresses of one document. Some of them show other documents, or make one. */
const ofDocument = /^\/(?:api|files)\/documents\/:id\//;
const ofOthers = /^\/api\/documents\/:id\/(?:comparison|family|redacted_copies|similar)\//;

/** What programs ask for besides, which has nothing to do with documents. */
const services: ReadonlySet<string> = new Set([
  "/api/",
  "/api/messages/",
  "/api/organizations/:id/ai_credits/",
  "/api/refresh/",
  "/api/users/me/",
]);

/** What of a request says what it is about. */
interface Sent {
  method: string;
  params: unknown;
  is404: boolean;
  routeOptions: { url?: string | undefined; config: { isHidden?: boolean | undefined } };
}

/**
 * Refuses what the token of a run does not give: it reaches the documents of the run, those that it makes, the run and
 * its event, and nothing else.
 *
 * @throws {ApiError} 404 for another document, run or event, 403 for anything else
 */
export function refuseBeyondRun(run: RunOfViewer, { method, params, is404, routeOptions }: Sent): void {
  const { url = "", config } = routeOptions;
  if (is404 || config.isHidden === true) return;
  // A redirect to the address with its slash, which is checked then.
  const path = url.endsWith("/") || url.endsWith("*") ? url : `${url}/`;
  if (ofDocuments.has(path) || services.has(path)) return;
  const { id = "", uuid = "" } = params as { id?: string; uuid?: string };
  if (ofDocument.test(path) && !ofOthers.test(path)) return check(run.documents.has(Number(id)));
  if (path === "/api/addon_runs/:uuid/" || path === "/files/addon-runs/:uuid/")
    return check(uuid.toLowerCase() === run.uuid);
  // Another run, of which it checks that it reaches no more.
  if (path === "/api/addon_runs/" && method === "POST") return;
  if (path === "/api/addon_events/:id/") return check(Number(id) === run.event);
  throw beyondRun();
}

export const beyondRun = (): ApiError =>
  permissionDenied("An add-on may use the documents of its run, and the run itself.");

function check(isOfRun: boolean): void {
  if (!isOfRun) throw notFound();
}
