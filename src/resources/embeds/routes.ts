import type { FastifyInstance, FastifyRequest, FastifySchema } from "fastify";
import type { Context } from "../../context.ts";
import { actionRefused, formatNotImplemented, notFound } from "../../errors.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { content, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import type { Query } from "../../http/request/query.ts";
import { type View, queryOf } from "../../http/browsable/view.ts";
import { findEmbedded } from "./find-embedded.ts";
import { fitted, readEmbedAddress } from "./oembed.ts";
import { frameMarkup, noteFrameSize, projectFrameSize } from "./present.ts";
import { embedding } from "./schema.ts";

/** The maximum side of a frame with a list of documents, which has no natural aspect ratio. */
const cacheSeconds = 300;

const view: View = {
  name: "Oembed",
  description: "The markup that embeds a document, a page, a note or a project in another page.",
  // oEmbed asks for this answer to `format=xml`.
  unknownFormat: formatNotImplemented,
  controls: {
    filters: [{ name: "url", label: "Address", help: "The address of the object to embed" }],
    orderings: [],
  },
};

/** oEmbed 1.0. Editors request it when somebody pastes an address of this service. */
export function embedRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  resourceRoute(app, {
    path: "/api/oembed/",
    slash: "optional",
    view,
    get: { schema: embedding, answer },
  });
  app.route({
    method: "GET",
    url: "/api/oembed.json",
    schema: { hide: true } as FastifySchema,
    config: { view },
    handler: async (request, reply) => send(request, reply, content(await answer(request))),
  });

  async function answer(request: FastifyRequest): Promise<object> {
    const query = queryOf(request);
    const url = query.last("url") ?? "";
    if (url === "") throw actionRefused("url required");
    const addresses = addressesOf(config, request);
    const address = readEmbedAddress(url, [addresses.web, addresses.api]);
    const found = address && (await findEmbedded(context, request.viewer, address.embedded));
    if (address === null || found === null) throw notFound();
    const limits = { ...side(query, "width"), ...side(query, "height") };
    const isList = address.embedded.kind === "project";
    const size = isList
      ? {
          width: Math.min(limits.width ?? projectFrameSize.width, projectFrameSize.width),
          height: Math.min(limits.height ?? projectFrameSize.height, projectFrameSize.height),
        }
      : fitted(found.size, limits);
    const rest = address.query.size === 0 ? "" : `&${address.query.toString()}`;
    const markup = frameMarkup({
      kind: address.embedded.kind,
      title: found.title,
      source: `${addresses.web}${found.path}?embed=1${rest}`,
      size,
      limits,
    });
    return {
      version: "1.0",
      provider_name: "Quire",
      provider_url: addresses.web,
      cache_age: cacheSeconds,
      title: found.title,
      ...(address.embedded.kind === "note" ? noteFrameSize(size, limits) : size),
      html: `${markup}\n`,
      type: "rich",
    };
  }
}

function side<Name extends "width" | "height">(query: Query, name: Name): { [Key in Name]?: number } {
  const text = query.last(`max${name}`) ?? "";
  const limit = /^\d{1,5}$/.test(text) && Number(text) > 0 ? { [name]: Number(text) } : {};
  return limit as { [Key in Name]?: number };
}
