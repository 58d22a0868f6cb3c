import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteHandlerMethod,
} from "fastify";
import { methodNotAllowed, permissionDenied, notFound } from "../errors.ts";
import { type FileTaking, bodyOf } from "./request/body.ts";
import { checkCsrf } from "./request/csrf.ts";
import { content, send } from "./response/representation.ts";
import { type View, metadata } from "./browsable/view.ts";
import { signedIn, writing } from "./request/viewer.ts";

/** One method of a path. */
export interface Operation {
  /** What it takes and gives: for the published schema. Bodies are read by fields (see fields.ts). */
  schema: FastifySchema;
  handler: RouteHandlerMethod;
  /** Takes the file that a form may bring. It is the handler's, who is done with it when the handler has not failed. */
  takesFile?: FileTaking;
  /** In bytes: how long its body may be, but for a file; a megabyte if it is not given. */
  bodyLimit?: number;
}

/** Everything a path of the API answers to. */
export interface ResourceRoute {
  /** Ends in a slash; without it a client is sent on (301), unless `slash` says otherwise. */
  path: string;
  /** `optional`: it is the same without. */
  slash?: "optional";
  view: View;
  /** Who may ask at all; of what is for administrators nobody else is told either which methods there are. */
  reading?: "anyone" | "signed in" | "administrators";
  /**
   * `asked`: the handlers themselves refuse those who may not, because what they are told depends on more. `nobody`: it
   * is changed elsewhere, which is a matter of rights, not of methods.
   */
  writing?: "signed in" | "asked" | "nobody";
  /** Throws where what this belongs to is not there for the viewer: whoever writes is told of that before all else. */
  parent?: (request: FastifyRequest) => Promise<unknown>;
  /**
   * Of a path that takes POST and has nothing to read: whether its page has the form for this viewer. Not given: for
   * everyone who may write.
   */
  invites?: (request: FastifyRequest) => Promise<boolean>;
  /** What is asked for may be as long as a search may be. */
  takesLongQuery?: true;
  /** Its `Vary` header stays `Accept` where other answers name `Origin` too. */
  vary?: "fixed";
  /** Where one signs in, whatever came in the headers (a token that has expired, say) counts for nothing. */
  credentials?: "ignored";
  get?: Operation;
  post?: Operation;
  put?: Operation;
  patch?: Operation;
  delete?: Operation;
}

const writingMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Who may not is refused before a body is looked at; and whether someone has signed in is asked before whether there is
 * such a method, as in that API.
 */
export function resourceRoute(app: FastifyInstance, route: ResourceRoute): void {
  registerAt(app, route, route.path, (schema) => schema);
  const unslashed = route.path.slice(0, -1);
  if (route.slash === "optional") registerAt(app, route, unslashed, unpublished);
  else app.all(unslashed, { schema: unpublished(), config: configOf(route) }, addSlash);
}

/** Sends a client on (301) that leaves out the slash at the end of this path, whatever the method. */
export function leadToSlash(app: FastifyInstance, path: string): void {
  app.all(path.slice(0, -1), { schema: unpublished() }, addSlash);
}

export function unpublished(): FastifySchema {
  return { hide: true } as FastifySchema;
}

function configOf(route: ResourceRoute): FastifyContextConfig {
  return {
    view: route.view,
    allow: allowOf(route),
    ignoresCredentials: route.credentials === "ignored",
    hasFixedVary: route.vary === "fixed",
    takesLongQuery: route.takesLongQuery === true,
  };
}

/** `published`: what the schema of this service says of an operation there. */
function registerAt(
  app: FastifyInstance,
  route: ResourceRoute,
  path: string,
  published: (schema: FastifySchema) => FastifySchema,
): void {
  const config = configOf(route);
  const hidden = { schema: unpublished(), config };
  const { reading = "anyone" } = route;
  const refuseReader = (request: FastifyRequest): void => {
    if (reading === "anyone") return;
    const { isAdministrator } = signedIn(request.viewer);
    if (reading === "administrators" && !isAdministrator) throw permissionDenied();
  };
  const refuseReading = async (request: FastifyRequest): Promise<void> => {
    if (request.representation === "page") request.isInvited = (await route.invites?.(request)) ?? true;
    throw methodNotAllowed(request.method);
  };
  const refuseWriter = (request: FastifyRequest, isThere: boolean): void => {
    if (route.writing === "asked" && (isThere || route.credentials === "ignored")) return;
    writing(request.viewer);
    refuseReader(request);
    if (route.writing === "nobody") throw permissionDenied();
  };
  app.route({
    ...(route.get === undefined
      ? hidden
      : {
          schema: published(route.get.schema),
          config: { ...config, needsSignIn: reading !== "anyone" },
        }),
    method: "GET",
    url: path,
    onRequest:
      route.get === undefined
        ? refuseReading
        : (request, _reply, done) => {
            refuseReader(request);
            done();
          },
    handler: route.get?.handler ?? nothing,
  });
  app.options(path, hidden, (request, reply) =>
    send(request, reply, content(metadata(route.view, request.viewer))),
  );
  for (const method of writingMethods) {
    const operation = route[method.toLowerCase() as "post" | "put" | "patch" | "delete"];
    app.route({
      ...(operation === undefined
        ? hidden
        : {
            schema: published(operation.schema),
            config: {
              ...config,
              needsSignIn: route.writing !== "asked",
              ...(operation.takesFile !== undefined && { takesFile: checkedFirst(operation.takesFile) }),
            },
            ...(operation.takesFile !== undefined && { onError: dropFile }),
            ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
          }),
      method,
      url: path,
      onRequest: async (request) => {
        await route.parent?.(request);
        refuseWriter(request, operation !== undefined);
        if (operation === undefined) throw methodNotAllowed(method);
      },
      preHandler: (request, _reply, done) => {
        checkCsrf(request);
        done();
      },
      handler: operation?.handler ?? nothing,
    });
  }
}

/** A session's token is asked for before a file is read: so it has to stand before it in the form, or in a header. */
function checkedFirst(taking: FileTaking): FileTaking {
  return {
    ...taking,
    async take(request, file, before) {
      checkCsrf(request, { form: before });
      return taking.take(request, file, before);
    },
  };
}

async function dropFile(request: FastifyRequest): Promise<void> {
  const body = bodyOf(request);
  if ("form" in body && body.file !== undefined) await request.routeOptions.config.takesFile?.drop(body.file);
}

function nothing(): undefined {
  return undefined;
}

function allowOf({ get, ...route }: ResourceRoute): string {
  const reading = get === undefined ? [] : ["GET"];
  const others = writingMethods.filter(
    (method) => route[method.toLowerCase() as "post" | "put" | "patch" | "delete"] !== undefined,
  );
  return [...reading, ...others, ...(get === undefined ? [] : ["HEAD"]), "OPTIONS"].join(", ");
}

/**
 * Relative and with the query, as DocumentCloud does it. A path with an empty parameter got here, too: with one more
 * slash it would name nothing either.
 */
function addSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (/^[^?]*\/(?:\/|\?|$)/.test(request.url)) throw notFound();
  const location = request.url.replace(/\?|$/, "/$&");
  return reply.code(301).type("text/html; charset=utf-8").header("location", location).send();
}
