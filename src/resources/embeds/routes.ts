import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { Context } from "../../context.ts";
import { notFound, actionRefused } from "../../errors.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { everyBody } from "../../http/request/body.ts";
import { content, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import type { Query } from "../../http/request/query.ts";
import { type View, queryOf } from "../../http/browsable/view.ts";
import { findEmbedded } from "./find-embedded.ts";
import { fitted, readEmbedAddress } from "./oembed.ts";
import { frameMarkup } from "./present.ts";
import { embedding } from "./schema.ts";

/** Half a screen: a list of documents has no shape of its own. */
const listSize = 500;
const cacheSeconds = 300;

const view: View = {
  name: "Oembed",
  description: "What to put into another page so that it shows a document, a page, a note or a project.",
  parses: everyBody,
  above: [{ name: "Api Root", path: "" }],
  controls: {
    filters: [{ name: "url", label: "Address", help: "Of what is to be shown" }],
    orderings: [],
  },
};

/** oEmbed 1.0: what an editor's program asks for when someone pastes an address of ours. */
export function embedRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  resourceRoute(app, {
    path: "/api/oembed/",
    slash: "optional",
    view,
    get: { schema: embedding, handler: answer },
  });
  app.route({
    method: "GET",
    url: "/api/oembed.json",
    schema: { hide: true } as FastifySchema,
    handler: answer,
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = queryOf(request);
    const url = query.last("url") ?? "";
    if (url === "") throw actionRefused("url required");
    const addresses = addressesOf(config, request);
    const asked = readEmbedAddress(url, [addresses.web, addresses.api]);
    const found = asked && (await findEmbedded(context, request.viewer, asked.embedded));
    if (asked === null || found === null) throw notFound();
    const limits = { ...side(query, "width"), ...side(query, "height") };
    const isList = asked.embedded.kind === "project";
    const size = isList
      ? {
          width: Math.min(limits.width ?? listSize, listSize),
          height: Math.min(limits.height ?? listSize, listSize),
        }
      : fitted(found.size, limits);
    const rest = asked.query.size === 0 ? "" : `&${asked.query.toString()}`;
    const markup = frameMarkup({
      kind: asked.embedded.kind,
      title: found.title,
      source: `${addresses.web}${found.path}?embed=1${rest}`,
      size,
      limits,
    });
    const embed = {
      version: "1.0",
      provider_name: "Quire",
      provider_url: addresses.web,
      cache_age: cacheSeconds,
      title: found.title,
      ...(asked.embedded.kind !== "note" && size),
      html: `${markup}\n`,
      type: "rich",
    };
    return send(request, reply, content(embed));
  }
}

function side<Name extends "width" | "height">(query: Query, name: Name): { [Key in Name]?: number } {
  const text = query.last(`max${name}`) ?? "";
  const given = /^\d{1,5}$/.test(text) && Number(text) > 0 ? { [name]: Number(text) } : {};
  return given as { [Key in Name]?: number };
}
