import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { guestLinkLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { ApiError, permissionDenied } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite, visitedSite } from "../../http/browsable/visited-site.ts";
import { pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { findCookie, setCookie } from "../../http/request/cookies.ts";
import { checkCsrf } from "../../http/request/csrf.ts";
import { type SessionViewer, sessionViewer } from "../../http/request/session-viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { digestOf } from "../../secrets/digest.ts";
import { findDocument } from "../../resources/documents/store.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { seesAlready } from "../../resources/guests/access.ts";
import { coveredBy, subjectOf } from "../../resources/guests/coverage.ts";
import { guestCookie } from "../../resources/guests/guest-viewer.ts";
import { guestSessionSeconds, openGuestLink } from "../../resources/guests/open-link.ts";
import {
  type GuestLinkRow,
  endSession,
  findOpenedLinks,
  findWorkingLink,
} from "../../resources/guests/store.ts";
import { findByLink } from "../../resources/users/credentials/sign-in.ts";
import { pageTexts } from "../../texts/pages.ts";
import { isFromElsewhere } from "../account/form-pages.ts";
import { listSecurityPolicy, listedDocument } from "../document-rows.ts";
import { type OpenedView, renderLandingPage, renderNoLinkPage, renderWelcomePage } from "./guest-pages.ts";
import { linkPagePaths, linkPageRoutes } from "./link-routes.ts";

export const guestPagePaths = [...linkPagePaths, "/guest/", "/guest/leave/"] as const;

/**
 * The pages of guests: where a link is opened, and what the opened links cover. The secret is in the address that was
 * sent alone; opening it leads to addresses without it. Nothing of these pages is cached, or named to other sites.
 */
export function guestPageRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const pages = new GuestPages(context);
  linkPageRoutes(app, context);

  app.get("/guest/", { schema: {} }, async (request, reply) => {
    const secret = queryOf(request).last("link");
    if (secret === undefined) return pages.sendLanding(request, reply);
    return pages.sendWelcome(request, reply, secret, null);
  });
  leadToSlash(app, "/guest/");

  app.post("/guest/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const secret = textIn(request, "link");
    const texts = pageTexts(localSite(request)).guests;
    const refuse = (status: number, problem: string | null): Promise<FastifyReply> =>
      pages.sendWelcome(request, reply.code(status), secret, problem);
    if (isForged(config, request)) return refuse(403, texts.fromElsewhere);
    const viewer = sessionViewer(request);
    if (request.viewer.kind === "user" && viewer === null) throw permissionDenied();
    const password = textIn(request, "password").slice(0, guestLinkLimits.password);
    const session = findCookie(request.headers.cookie, guestCookie);
    try {
      if (viewer !== null && (await pages.isNeedless(viewer, secret))) return await refuse(403, null);
      const opened = await openGuestLink(context, { secret, password, session, address: request.ip });
      if (opened.outcome === "not there") return pages.sendNoLink(request, reply);
      if (opened.outcome === "wrong password") return await refuse(403, texts.wrongPassword);
      setGuestCookie(config, request, reply, opened.session);
      return reply.headers(unseen).redirect(await pages.targetOf(request, opened.link), 303);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      reply.headers(error.headers);
      return refuse(429, texts.tooManyGuesses);
    }
  });

  app.post("/guest/leave/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const secret = findCookie(request.headers.cookie, guestCookie);
    if (secret !== null && !isForged(config, request)) {
      await database.write((writer) => endSession(writer, digestOf(secret)));
      setGuestCookie(config, request, reply, null);
    }
    return reply.headers(unseen).redirect(`${app.site.home}guest/`, 303);
  });
}

/** Whether another site has caused this form to be sent. The form of a person who has signed in has their token. */
function isForged(config: Context["config"], request: FastifyRequest): boolean {
  if (isFromElsewhere(config, request)) return true;
  try {
    checkCsrf(request);
    return false;
  } catch {
    return true;
  }
}

class GuestPages {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The page of the document, if the link opens one; otherwise the list of what it opens. */
  async targetOf({ server }: FastifyRequest, link: GuestLinkRow): Promise<string> {
    const { document_id: id } = link;
    const [document] = id === null ? [] : await coveredBy(this.#context.database, link, [id]);
    const { home } = server.site;
    return document === undefined ? `${home}guest/` : documentAddress(home.slice(0, -1), document);
  }

  async sendWelcome(
    request: FastifyRequest,
    reply: FastifyReply,
    secret: string,
    problem: string | null,
  ): Promise<FastifyReply> {
    const find = () => findWorkingLink(this.#context.database.reader, digestOf(secret));
    const link = await findByLink(this.#context, request.ip, find);
    if (link === null) return this.sendNoLink(request, reply);
    const viewer = sessionViewer(request);
    const isNeedless = viewer !== null && (await seesAlready(this.#context.database, viewer, link));
    const page = renderWelcomePage(viewer === null ? localSite(request) : visitedSite(request), {
      secret,
      hasPassword: link.password_hash !== null,
      person: viewer === null ? null : { name: viewer.name || viewer.username, csrfToken: viewer.csrfToken },
      instead: isNeedless ? await this.#insteadOf(request, viewer, link) : null,
      problem,
    });
    return sendUnseen(reply, page);
  }

  async #insteadOf({ server: { site } }: FastifyRequest, viewer: SessionViewer, link: GuestLinkRow) {
    const { document_id: id } = link;
    const row = id === null ? null : await findDocument(this.#context.database, viewer, id);
    if (row === null) return { kind: "links", href: `${site.account}guests/` } as const;
    return { kind: "document", href: documentAddress(site.home.slice(0, -1), row) } as const;
  }

  /** Whether the link would only be used up. */
  async isNeedless(viewer: SessionViewer, secret: string): Promise<boolean> {
    const { database } = this.#context;
    const link = await findWorkingLink(database.reader, digestOf(secret));
    return link !== null && seesAlready(database, viewer, link);
  }

  sendNoLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return sendUnseen(reply.code(404), renderNoLinkPage(localSite(request)));
  }

  async sendLanding(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const secret = findCookie(request.headers.cookie, guestCookie) ?? "";
    const viewer = sessionViewer(request);
    const isGuest = (request.viewer.kind === "anonymous" || viewer !== null) && secret !== "";
    const links = isGuest ? await findOpenedLinks(this.#context.database, digestOf(secret)) : [];
    const opened: OpenedView[] = [];
    for (const link of links) {
      const view = await this.#openedView(request, link);
      if (view !== null) opened.push(view);
    }
    const policy = listSecurityPolicy(opened.flatMap(({ documents }) => documents));
    return sendUnseen(
      reply,
      renderLandingPage(visitedSite(request), opened, viewer?.csrfToken ?? null),
      policy,
    );
  }

  /** A page of what a link covers. `from` counts documents that it may cover, and each link has its own. */
  async #openedView(request: FastifyRequest, link: GuestLinkRow): Promise<OpenedView | null> {
    const { config, database } = this.#context;
    const subject = await subjectOf(database, link);
    if (subject === null) return null;
    const query = queryOf(request);
    const isTurned = query.last("of") === link.uuid;
    const from = isTurned ? Number(/^\d{1,9}$/.exec(query.last("from") ?? "")?.[0] ?? 0) : 0;
    const all = await subject.ids();
    const ids = all.slice(from, from + perPage);
    const byId = new Map((await coveredBy(database, link, ids)).map((row) => [row.id, row]));
    const addresses = addressesOf(config, request);
    const { home } = request.server.site;
    const pageAt = (start: number): string => `${home}guest/?of=${link.uuid}&from=${start}`;
    return {
      title: subject.title,
      documents: ids.flatMap((id) => {
        const row = byId.get(id);
        if (row === undefined) return [];
        const shown = listedDocument(row, addresses, { home, organizations: new Map() });
        return [{ ...shown, href: documentAddress(home.slice(0, -1), row) }];
      }),
      previous: from > 0 ? pageAt(Math.max(0, from - perPage)) : null,
      next: from + perPage < all.length ? pageAt(from + perPage) : null,
    };
  }
}

/** Null ends the session in this browser. */
function setGuestCookie(
  config: Context["config"],
  request: FastifyRequest,
  reply: FastifyReply,
  session: string | null,
): void {
  const maxAgeSeconds = session === null ? 0 : guestSessionSeconds;
  setCookie(config, request, reply, {
    name: guestCookie,
    value: session ?? "",
    maxAgeSeconds,
    isReadable: false,
  });
}

/** Browsers check where a form leads in the end against the policy. */
function sendUnseen(reply: FastifyReply, page: string, policy = pageSecurityPolicy): FastifyReply {
  const { home } = reply.server.site;
  const origin = home.startsWith("/") ? "" : ` ${new URL(home).origin}`;
  const whole = policy.replace("form-action 'self'", `form-action 'self'${origin}`);
  reply.headers({ ...unseen, "content-security-policy": whole });
  return sendPage(reply, page);
}

const perPage = 25;

/**
 * No cache keeps the page, and no request names its address. A form says from which site it comes, so that forms of
 * other sites are refused.
 */
const unseen = { "cache-control": "private, no-store", "referrer-policy": "strict-origin" };
