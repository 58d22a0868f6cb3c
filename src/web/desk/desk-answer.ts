import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { sendPage } from "../../http/response/representation.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { fileKinds } from "../../file-kinds.ts";
import { languageCodes } from "../../resources/documents/languages.ts";
import type { Html } from "../../http/text/html.ts";
import type { SessionViewer } from "../../http/request/session-viewer.ts";
import type { Catalogue } from "../../texts/pages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { documentSecurityPolicy } from "../document-page.ts";
import { fileStores } from "../document-pages.ts";
import { type DeskPageView, renderDeskPage } from "./desk-page.ts";

/** The options of the script of every page of the desk. */
export function deskOptions(
  { config }: Pick<Context, "config">,
  request: FastifyRequest,
  viewer: SessionViewer,
): DeskOptions {
  const { api, manage, upload, addons } = request.server.site;
  const basePath = api.slice(0, -"/api/".length);
  return {
    api,
    assets: addressesOf(config, request).assets,
    files: `${basePath}/files/`,
    images: [],
    tus: `${basePath}/uploads/tus/`,
    csrfToken: viewer.csrfToken,
    user: viewer.id,
    userName: viewer.name === "" ? viewer.username : viewer.name,
    maxBytes: config.uploadLimitMb * 1024 * 1024,
    extensions: [...fileKinds.keys()],
    languages: [...languageCodes],
    trashDays: config.trashDays,
    trash: `${manage}trash/`,
    upload,
    addons: addons ?? "",
  };
}

/** Sends a page on which the script of the desk runs. `images` are addresses of other stores whose images it shows. */
export async function sendDesk(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  images: readonly string[] = [],
): Promise<FastifyReply> {
  const sources = [addressesOf(context.config, request).assets, ...(await fileStores(context)), ...images];
  reply.headers({
    "cache-control": "no-store",
    "content-security-policy": documentSecurityPolicy(sources),
  });
  return sendPage(reply, page);
}

/** A page of the desk, with its words in the language of the reader. */
export interface DeskAnswer extends Pick<DeskPageView, "section" | "page"> {
  title: (texts: Catalogue) => string;
  intro?: (texts: Catalogue) => Html;
  withoutScripts: (texts: Catalogue) => Html;
}

export function sendDeskPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SessionViewer,
  answer: DeskAnswer,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const texts = pageTexts(site);
  const { section, page, intro } = answer;
  const view = {
    site,
    title: answer.title(texts),
    section,
    page,
    options: deskOptions(context, request, viewer),
    ...(intro !== undefined && { intro: intro(texts) }),
    withoutScripts: answer.withoutScripts(texts),
  };
  return sendDesk(context, request, reply, renderDeskPage(view));
}
