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
import { type View, metadata, negotiate } from "./browsable/view.ts";
import { type SignedInViewer, type Viewer, signedIn, writing } from "./request/viewer.ts";

/** One method of a path. */
export interface Operation {
  /** The request and response, for the published schema. Bodies are read by field tables (see fields.ts). */
  schema: FastifySchema;
  handler: RouteHandlerMethod;
  /**
   * Stores the file that a form may carry. The handler owns the file once it is called, and has finished with it when
   * it returns without an error.
   */
  takesFile?: FileTaking;
  /** The maximum length of the body in bytes, without a file; 1 MB by default. */
  bodyLimit?: number;
}

/** The methods of one path of the API. */
export interface ResourceRoute {
  /** Ends in a slash. A request without the slash is redirected (301), unless `slash` says otherwise. */
  path: string;
  /** `optional`: the path works with and without its slash. */
  slash?: "optional";
  view: View;
  /**
   * The viewers who may read the path. Only administrators learn which methods an administrators' path has. A path that
   * is `hidden` gives everyone but administrators the answer of an address that does not exist; a personal token does
   * not make its bearer an administrator there.
   */
  reading?: "anyone" | "signed in" | "administrators" | "hidden";
  /**
   * `checked by handler`: the handlers check permission themselves, because the refusal depends on the object.
   * `nobody`: the object is changed elsewhere, so a change is a matter of permission (403), not of methods (405).
   */
  writing?: "signed in" | "checked by handler" | "nobody";
  /** Throws if the viewer cannot see the parent object. A write checks this before anything else. */
  parent?: (request: FastifyRequest) => Promise<unknown>;
  /**
   * For a path that takes POST and cannot be read: whether this viewer's page has the form. By default, every viewer
   * who may write gets it.
   */
  invites?: (request: FastifyRequest) => Promise<boolean>;
  /** The query string may be as long as a search query. */
  takesLongQuery?: true;
  /** The `Vary` header is always `Accept`; that of other responses may also name `Origin`. */
  vary?: "fixed";
  /** For signing in: credentials in the headers (an expired token, for example) are ignored. */
  credentials?: "ignored";
  get?: Operation;
  post?: Operation;
  put?: Operation;
  patch?: Operation;
  delete?: Operation;
}

const writingMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Permission is checked before the body is read. Authentication is checked before the method, as in Django REST
 * framework.
 */
export function resourceRoute(app: FastifyInstance, route: ResourceRoute): void {
  // Otherwise the page would lead from a successful POST to a 405.
  if (route.post !== undefined && route.get === undefined && route.view.leadsTo === undefined)
    throw new Error(`${route.path} takes POST and cannot be read, so its view has to name a page to link to`);
  registerAt(app, route, route.path, (schema) => schema);
  const unslashed = route.path.slice(0, -1);
  if (route.slash === "optional") registerAt(app, route, unslashed, unpublished);
  else {
    const config = configOf(route);
    app.all(unslashed, { schema: unpublished(), config }, (request, reply) =>
      config.isHidden === true && !isAdministrator(request.viewer)
        ? reply.callNotFound()
        : addSlash(request, reply),
    );
  }
}

/** Whether the viewer may use hidden addresses: an administrator who did not authenticate with a personal token. */
export function isAdministrator(viewer: Viewer): viewer is SignedInViewer {
  return viewer.kind === "user" && viewer.isAdministrator && !viewer.hasPersonalToken;
}

/**
 * The administrator who sent a request to a hidden address. Throws 404 if the user has ceased to be one since the
 * request began: its body may take long to arrive.
 */
export function administrator({ viewer }: FastifyRequest): SignedInViewer {
  if (!isAdministrator(viewer)) throw notFound();
  return viewer;
}

/** Gives everyone but administrators the answer of an address that does not exist. Runs before any other check. */
function hide(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!isAdministrator(request.viewer)) {
    reply.callNotFound();
    return;
  }
  negotiate(request);
  done();
}

/** Redirects (301) requests for this path without its final slash, whatever the method. */
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
    ...(route.reading === "hidden" && { isHidden: true }),
  };
}

/** `published` maps an operation's schema to the one that the published schema shows for this path. */
function registerAt(
  app: FastifyInstance,
  route: ResourceRoute,
  path: string,
  published: (schema: FastifySchema) => FastifySchema,
): void {
  const config = configOf(route);
  const hidden = { schema: unpublished(), config };
  const { reading = "anyone" } = route;
  const before = reading === "hidden" ? [hide] : [];
  const refuseReader = (request: FastifyRequest): void => {
    if (reading === "anyone" || reading === "hidden") return;
    const viewer = signedIn(request.viewer);
    if (reading === "administrators" && !viewer.isAdministrator) throw permissionDenied();
  };
  const refuseReading = async (request: FastifyRequest): Promise<void> => {
    if (request.representation === "page") request.isInvited = (await route.invites?.(request)) ?? true;
    throw methodNotAllowed(request.method);
  };
  const refuseWriter = (request: FastifyRequest, isThere: boolean): void => {
    if (route.writing === "checked by handler" && (isThere || route.credentials === "ignored")) return;
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
    onRequest: [
      ...before,
      route.get === undefined
        ? refuseReading
        : (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
            refuseReader(request);
            done();
          },
    ],
    handler: route.get?.handler ?? nothing,
  });
  app.options(path, { ...hidden, onRequest: before }, (request, reply) =>
    send(request, reply, content(metadata(route.view, request.viewer))),
  );
  for (const method of writingMethods) {
    const operation = route[method.toLowerCase() as "post" | "put" | "patch" | "delete"];
    const taking = operation?.takesFile === undefined ? null : takingFile(operation.takesFile);
    app.route({
      ...(operation === undefined
        ? hidden
        : {
            schema: published(operation.schema),
            config: {
              ...config,
              needsSignIn: route.writing !== "checked by handler",
              ...taking?.config,
            },
            ...(taking !== null && { onError: taking.onError }),
            ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
          }),
      method,
      url: path,
      onRequest: [
        ...before,
        async (request: FastifyRequest) => {
          await route.parent?.(request);
          refuseWriter(request, operation !== undefined);
          if (operation === undefined) throw methodNotAllowed(method);
        },
      ],
      preHandler: (request, _reply, done) => {
        checkCsrf(request);
        done();
      },
      handler: operation?.handler ?? nothing,
    });
  }
}

/**
 * The options of a route whose forms carry a file. The CSRF token is checked before the file is read, so it has to come
 * before the file in the form, or in a header. If the request fails, the file is dropped.
 */
export function takingFile(taking: FileTaking) {
  const takesFile: FileTaking = {
    ...taking,
    async take(request, file, before) {
      checkCsrf(request, { form: before });
      return taking.take(request, file, before);
    },
  };
  return { config: { takesFile }, onError: dropFile };
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
 * The redirect is relative and keeps the query, as in DocumentCloud. A path with an empty parameter also reaches this
 * handler; adding a slash would not make it valid.
 */
function addSlash(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (/^[^?]*\/(?:\/|\?|$)/.test(request.url)) throw notFound();
  const location = request.url.replace(/\?|$/, "/$&");
  return reply.code(301).type("text/html; charset=utf-8").header("location", location).send();
}
