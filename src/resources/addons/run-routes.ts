import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { invalidRequest, notFound, permissionDenied } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { fileRoute } from "../../http/file-route.ts";
import { bodyOf } from "../../http/request/body.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { flagIn, idsIn, textIn } from "../../http/request/list-filters.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { schemaOf } from "../../http/schema/published-operation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { FileAddresses } from "../documents/files/file-addresses.ts";
import { withinLimit } from "../documents/uploads/receive-file.ts";
import { runFields } from "./fields.ts";
import { cancelRun, changeRun, createRun } from "./manage-runs.ts";
import { expandedRuns, presentRun } from "./present.ts";
import { RunUploads, runFileKey } from "./run-files.ts";
import { type RunRow, findRun, isOpen, listRuns, ownRuns } from "./run-store.ts";
import * as shapes from "./schema.ts";
import { runFileView, runInstance, runList } from "./views.ts";

const expandable = ["addon", "event"];

/** The viewer's runs, and the files that they make. */
export function runRoutes(app: FastifyInstance, context: Context): void {
  listRoute(app, context);
  itemRoute(app, context);
  uploadRoute(app, context);
  downloadRoute(app, context);
}

function listRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;
  resourceRoute(app, {
    path: "/api/addon_runs/",
    view: runList,
    get: {
      schema: shapes.listingRuns,
      async answer(request, viewer) {
        const query = queryOf(request);
        const filters = {
          events: idsIn(query, "event"),
          addons: idsIn(query, "addon"),
          dismissed: flagIn(query, "dismissed"),
          site: textIn(query, "site"),
        };
        const descending = query.last("ordering") !== "created_at";
        const shown = {
          viewer,
          expansion: readExpansion(query, expandable),
          selection: readSelection(query),
        };
        const { api } = addressesOf(context.config, request);
        return listContent(request, {
          find: (cursor, limit) => listRuns(database, viewer, { filters, descending }, cursor, limit),
          present: (rows) =>
            expandedRuns(
              database,
              rows.map((row) => presentRun(row, api)),
              shown,
            ),
          offers: mayWrite(viewer) ? ["POST"] : [],
          way: descending ? "descending" : "ascending",
        });
      },
    },
    post: {
      schema: shapes.creatingRun,
      async answer(request, viewer) {
        const row = await createRun(context, viewer, membersIn(runFields, bodyOf(request)));
        return new Created(row.uuid, await contentOf(context, request, row));
      },
    },
  });
}

function itemRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;
  const uploads = new RunUploads(context.secrets);
  resourceRoute(app, {
    path: "/api/addon_runs/:uuid/",
    parameters: shapes.uuidParameter,
    view: runInstance,
    get: {
      schema: shapes.readingRun,
      async answer(request, viewer) {
        const row = await ownRuns.get(context.database, viewer, { uuid: uuidIn(request) });
        const name = textIn(queryOf(request), "upload_file");
        const { api } = addressesOf(context.config, request);
        const offers = name !== undefined && row.file_name === "" && mayWrite(viewer);
        return contentOf(context, request, row, offers ? uploads.addressFor(api, row.uuid, name) : null);
      },
    },
    ...itemChanges(database, {
      schemas: {
        replacing: shapes.replacingRun,
        changing: shapes.changingRun,
        deleting: shapes.cancellingRun,
      },
      fields: runFields,
      lock: (writer, viewer, request) => ownRuns.lock(writer, viewer, { uuid: uuidIn(request) }),
      plain: (row) => presentRun(row, ""),
      change: (writer, row, sent) => changeRun(context, writer, row, sent),
      async remove(writer, row) {
        await cancelRun(writer, row);
        context.jobs.notify();
      },
      shown: (row, _viewer, request) => contentOf(context, request, row),
    }),
  });
}

async function contentOf(
  { config, database }: Context,
  request: FastifyRequest,
  row: RunRow,
  uploadTo: string | null = null,
): Promise<Content> {
  const { viewer } = request;
  const query = queryOf(request);
  const { api } = addressesOf(config, request);
  const shown = { viewer, expansion: readExpansion(query, "any"), selection: readSelection(query) };
  const [run] = await expandedRuns(database, [presentRun(row, api, uploadTo)], shown);
  return content(run, mayWrite(viewer) ? ["PATCH", "DELETE"] : []);
}

/** A program uploads the file of its run to a signed address, without other credentials. */
function uploadRoute(app: FastifyInstance, { config, database, files, secrets }: Context): void {
  const uploads = new RunUploads(secrets);
  const path = "/uploads/addon-runs/:uuid/*";
  const route = { path, parameters: shapes.uploadParameters };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, bytes, done) => done(null, bytes));
    // Fastify would refuse a malformed content type before this route sees the request.
    scope.addHook("onRequest", async ({ raw }) => void delete raw.headers["content-type"]);
    const schema = schemaOf(route, "PUT", shapes.uploadingFile);
    scope.put(path, { schema }, async (request, reply) => {
      const uuid = uuidIn(request);
      const { "*": name } = request.params as { "*": string };
      if (!uploads.isValid(uuid, name, queryOf(request))) throw refused();
      const row = await findRun(database.reader, { uuid });
      if (row === null || !isOpen(row) || row.file_name !== "") throw refused();
      const bytes = request.body as Readable | undefined;
      if (bytes === undefined) throw invalidRequest("The file is empty.");
      await files.put(runFileKey(uuid, name), withinLimit(bytes, config.uploadLimitMb));
      return reply.code(200).send();
    });
  });
}

const refused = (): Error => permissionDenied("This upload address is invalid or has expired.");

/** A request for JSON gets an address that opens without credentials, as clients of DocumentCloud expect. */
function downloadRoute(app: FastifyInstance, context: Context): void {
  const { config, files } = context;
  const addresses = new FileAddresses(context);
  fileRoute(app, {
    path: "/files/addon-runs/:uuid/",
    parameters: shapes.uuidParameter,
    view: runFileView,
    published: shapes.readingFile,
    checkAddress: (request) => void uuidIn(request),
    async handler(request, reply) {
      const uuid = uuidIn(request);
      const path = `addon-runs/${uuid}/`;
      const signed = await addresses.findViewer(path, queryOf(request));
      const viewer: Viewer = signed ?? request.viewer;
      const row = await ownRuns.get(context.database, viewer, { uuid });
      if (signed === null && viewer.kind === "user" && asksForAddress(request)) {
        const { api } = addressesOf(config, request);
        return reply
          .header("content-type", "application/json")
          .send(
            Buffer.from(
              JSON.stringify({ location: `${api}/files/${path}${addresses.queryFor(path, viewer)}` }),
            ),
          );
      }
      return sendFile(request, reply, row);
    },
  });

  async function sendFile(request: FastifyRequest, reply: FastifyReply, row: RunRow): Promise<FastifyReply> {
    const key = runFileKey(row.uuid, row.file_name);
    const stat = row.file_expires_at === null ? null : await files.stat(key);
    const bytes = stat === null || request.method === "HEAD" ? null : await files.read(key);
    if (stat === null || (bytes === null && request.method !== "HEAD")) throw notFound();
    // The name and the bytes are those of a stranger: a browser stores them, and shows nothing of them.
    const plain = row.file_name.replaceAll(/[^\w.-]+/g, "_");
    reply.headers({
      "content-type": "application/octet-stream",
      "content-length": stat.size,
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(row.file_name)}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-cache",
    });
    return bytes === null ? reply.send() : reply.send(bytes);
  }
}

function asksForAddress({ headers }: FastifyRequest): boolean {
  return /^\s*application\/json/i.test(headers.accept ?? "");
}
