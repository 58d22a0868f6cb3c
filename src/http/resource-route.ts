import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from "fastify";
import { methodNotAllowed, permissionDenied, notFound } from "../errors.ts";
import type { FileTaking } from "./request/body.ts";
import { checkCsrf } from "./request/csrf.ts";
import { takingFile } from "./taking-file.ts";
import { sendAnswer } from "./answer.ts";
import { content, send } from "./response/representation.ts";
import { type Published, type PublishedRoute, schemaOf, statusOf } from "./schema/published-operation.ts";
import { type View, metadata, negotiate } from "./browsable/view.ts";
import { type SignedInViewer, type Viewer, signedIn, writing } from "./request/viewer.ts";

/** One method of a path. `Sender` is the viewer whose rights the route has checked. */
export interface Operation<Sender extends Viewer = Viewer> {
  /** For the published schema, and the status of success. Bodies are read by field tables (see fields.ts). */
  schema: Published;
  /**
   * Returns what is sent: content, a {@link Created}, or a value that becomes JSON. What an operation without a
   * published `gives` returns is not sent. A reply is given for headers, or to send a stream.
   */
  answer: (request: FastifyRequest, viewer: Sender, reply: FastifyReply) => unknown;
  /** The response contains a secret, so that no cache may store it. */
  isSecret?: true;
  /**
   * Stores the file that a form may carry. The handler owns the file once it is called, and has finished with it when
   * it returns without an error.
   */
  takesFile?: FileTaking;
  /** The maximum length of the body in bytes, without a file; 1 MB by default. */
  bodyLimit?: number;
}

type Reading = NonNullable<PublishedRoute["reading"]>;
type Writing = "signed in" | "checked by handler" | "nobody";

/** The methods of one path of the API. */
export interface ResourceRoute<R extends Reading = Reading, W extends Writing = Writing> {
  /** Ends in a slash. A request without the slash is redirected (301), unless `slash` says otherwise. */
  path: string;
  /** The parameters in the path that are not the id of the object before them: see {@link PublishedRoute}. */
  parameters?: NonNullable<PublishedRoute["parameters"]>;
  /** `optional`: the path works with and without its slash. */
  slash?: "optional";
  view: View;
  /**
   * The viewers who may read the path. Only administrators learn which methods an administrators' path has. A path that
   * is `hidden` gives everyone but administrators the answer of an address that does not exist; a personal token does
   * not make its bearer an administrator there.
   */
  reading?: R;
  /**
   * `checked by handler`: the handlers check permission themselves, because the refusal depends on the object.
   * `nobody`: the object is changed elsewhere, so a change is a matter of permission (403), not of methods (405).
   */
  writing?: W;
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
  get?: Operation<R extends "anyone" ? Viewer : SignedInViewer>;
  post?: Operation<W extends "checked by handler" ? Viewer : SignedInViewer>;
  put?: Operation<W extends "checked by handler" ? Viewer : SignedInViewer>;
  patch?: Operation<W extends "checked by handler" ? Viewer : SignedInViewer>;
  delete?: Operation<W extends "checked by handler" ? Viewer : SignedInViewer>;
}

/** A route whose handlers take any viewer. */
type AnyRoute = Omit<ResourceRoute<"anyone", "checked by handler">, "reading" | "writing"> &
  Pick<ResourceRoute, "reading" | "writing">;

const writingMethods = ["POST", "PUT", "PATCH", "DELETE"] as const;
type Method = "GET" | (typeof writingMethods)[number];

const nameOf = (method: (typeof writingMethods)[number]) =>
  method.toLowerCase() as Lowercase<(typeof writingMethods)[number]>;

/**
 * Permission is checked before the body is read. Authentication is checked before the method, as in Django REST
 * framework.
 */
export function resourceRoute<const R extends Reading = "anyone", const W extends Writing = "signed in">(
  app: FastifyInstance,
  given: ResourceRoute<R, W>,
): void {
  // The viewer that a handler gets has the type that `viewerFor` checks.
  const route = given as unknown as AnyRoute;
  // Otherwise the page would lead from a successful POST to a 405.
  if (route.post !== undefined && route.get === undefined && route.view.leadsTo === undefined)
    throw new Error(`${route.path} takes POST and cannot be read, so its view has to name a page to link to`);
  if (route.get !== undefined) app.viewNames.set(route.path, route.view.name);
  registerAt(app, route, route.path, "published");
  const unslashed = route.path.slice(0, -1);
  if (route.slash === "optional") registerAt(app, route, unslashed, "unpublished");
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

function configOf(route: AnyRoute): FastifyContextConfig {
  return {
    view: route.view,
    allow: allowOf(route),
    ignoresCredentials: route.credentials === "ignored",
    hasFixedVary: route.vary === "fixed",
    takesLongQuery: route.takesLongQuery === true,
    ...(route.reading === "hidden" && { isHidden: true }),
  };
}

/** Registers every method of a path. The published schema shows a path with its slash alone. */
function registerAt(
  app: FastifyInstance,
  route: AnyRoute,
  path: string,
  publication: "published" | "unpublished",
): void {
  const config = configOf(route);
  const hidden = { schema: unpublished(), config };
  const before = route.reading === "hidden" ? [hide] : [];
  const optionsOf = (method: Method, operation: Operation) => ({
    schema: publication === "published" ? schemaOf(route, method, operation.schema) : unpublished(),
    handler: handlerOf(route, method, operation),
  });
  app.route({
    ...hidden,
    handler: nothing,
    ...(route.get !== undefined && {
      ...optionsOf("GET", route.get),
      config: { ...config, needsSignIn: (route.reading ?? "anyone") !== "anyone" },
    }),
    method: "GET",
    url: path,
    onRequest: [...before, route.get === undefined ? refusesReading(route) : refusesReaders(route)],
  });
  app.options(path, { ...hidden, onRequest: before }, (request, reply) =>
    send(request, reply, content(metadata(route.view, request.viewer))),
  );
  const missing: Method[] = [];
  for (const method of writingMethods) {
    const operation = route[nameOf(method)];
    if (operation === undefined) {
      missing.push(method);
      continue;
    }
    const taking = operation.takesFile === undefined ? null : takingFile(operation.takesFile);
    const needsSignIn = route.writing !== "checked by handler";
    app.route({
      ...optionsOf(method, operation),
      config: { ...config, needsSignIn, ...taking?.config },
      ...(taking !== null && { onError: taking.onError }),
      ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
      method,
      url: path,
      onRequest: [...before, refusesWriters(route)],
      preHandler: (request, _reply, done) => {
        checkCsrf(request);
        done();
      },
    });
  }
  // One route for all that are refused: registering a route takes longer than one more method of it.
  if (missing.length > 0) {
    app.route({
      ...hidden,
      handler: nothing,
      method: missing,
      url: path,
      onRequest: [...before, refusesWriters(route)],
    });
  }
}

/** Sends what the operation's own handler returns. */
function handlerOf(route: AnyRoute, method: Method, { schema, answer, isSecret }: Operation) {
  const status = statusOf(method, schema);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answered = await answer(request, viewerFor(route, method, request), reply);
    if (answered === reply) return reply;
    if (isSecret === true) reply.header("cache-control", "no-store");
    if (status === 204) return reply.code(204).send();
    if (status !== 200) reply.code(status);
    return sendAnswer(request, reply, answered);
  };
}

/** The viewer of a request that has arrived whole. Their rights may have changed since it began. */
function viewerFor({ reading, writing: right }: AnyRoute, method: Method, request: FastifyRequest): Viewer {
  if (reading === "hidden") return administrator(request);
  if (method !== "GET") return right === "checked by handler" ? request.viewer : writing(request.viewer);
  return reading === undefined || reading === "anyone" ? request.viewer : signedIn(request.viewer);
}

function checkReader({ reading = "anyone" }: AnyRoute, request: FastifyRequest): void {
  if (reading === "anyone" || reading === "hidden") return;
  const viewer = signedIn(request.viewer);
  if (reading === "administrators" && !viewer.isAdministrator) throw permissionDenied();
}

const refusesReaders =
  (route: AnyRoute) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    checkReader(route, request);
    done();
  };

/** Refuses GET where there is nothing to read. The page may have a form all the same. */
const refusesReading =
  ({ invites }: AnyRoute) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.representation === "page") request.isInvited = (await invites?.(request)) ?? true;
    throw methodNotAllowed(request.method);
  };

/** Refuses viewers who may not write, and everyone where the path does not have the method. */
const refusesWriters =
  (route: AnyRoute) =>
  async (request: FastifyRequest): Promise<void> => {
    await route.parent?.(request);
    const method = request.method as (typeof writingMethods)[number];
    const isThere = route[nameOf(method)] !== undefined;
    const isLeft = route.writing === "checked by handler" && (isThere || route.credentials === "ignored");
    if (!isLeft) {
      writing(request.viewer);
      checkReader(route, request);
      if (route.writing === "nobody") throw permissionDenied();
    }
    if (!isThere) throw methodNotAllowed(method);
  };

function nothing(): undefined {
  return undefined;
}

function allowOf({ get, ...route }: AnyRoute): string {
  const reading = get === undefined ? [] : ["GET"];
  const others = writingMethods.filter((method) => route[nameOf(method)] !== undefined);
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
