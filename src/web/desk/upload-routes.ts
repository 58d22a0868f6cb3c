import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError, notFound, permissionDenied } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit, textIn } from "../../http/request/body.ts";
import { discardRest } from "../../http/request/unread-body.ts";
import { writing } from "../../http/request/viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { takingFile } from "../../http/taking-file.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { newFields } from "../../resources/documents/record/fields.ts";
import type { Publisher } from "../../resources/documents/record/publisher.ts";
import { findDocument } from "../../resources/documents/store.ts";
import { makeDocumentOfForm } from "../../resources/documents/uploads/document-of-file.ts";
import { formFiles } from "../../resources/documents/uploads/form-files.ts";
import {
  checkReplaceable,
  noFile,
  replaceByBody,
} from "../../resources/documents/uploads/receive-replacement.ts";
import { sendDeskPage } from "./desk-answer.ts";
import { type RefusedUpload, plainReplacementForm, plainUploadForm } from "./upload-forms.ts";

/** How long the rest of a file that is refused may take to arrive. */
const discardMilliseconds = 60_000;

/** The page on which people upload files. With `?replace=`, it replaces the file of that document. */
export function uploadPageRoutes(app: FastifyInstance, context: Context, publisher: Publisher): void {
  const { database } = context;
  const { site } = app;
  const basePath = site.api.slice(0, -"/api/".length);

  app.get("/upload/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    const next = queryOf(request).last("replace") === undefined ? site.upload : `${basePath}${request.url}`;
    return viewer === null ? leadToSignIn(reply, next) : sendUploads(request, reply, viewer, null);
  });

  // The forms of the page, which browsers without scripts send.
  const receiving = takingFile(
    formFiles(context, (request) => {
      const replaced = replacedBy(request);
      if (replaced !== null) return checkReplaceable(context, writing(request.viewer), replaced);
      return refuseHomeless(writing(request.viewer));
    }),
  );
  void app.register(async (scope) => {
    scope.setErrorHandler<ApiError>(async (error, request, reply) => {
      const viewer = sessionViewer(request);
      if (viewer === null || !(error instanceof ApiError) || !statusesAtField.has(error.status)) throw error;
      reply.code(error.status).headers(error.headers);
      // A connection on which part of the body is unread cannot carry another request.
      if (!(await discardRest(request.raw, discardMilliseconds))) reply.header("connection", "close");
      return sendUploads(request, reply, viewer, refusedUpload(request, error));
    });
    scope.post(
      "/upload/",
      { schema: {}, bodyLimit: shortBodyLimit, ...receiving },
      async (request, reply) => {
        const viewer = formSender(request);
        const row = await findDocument(database, viewer, await receive(context, publisher, request, viewer));
        if (row === null) throw notFound();
        return reply.redirect(documentAddress(basePath, row), 303);
      },
    );
  });
  leadToSlash(app, "/upload/");

  async function sendUploads(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    refused: RefusedUpload | null,
  ): Promise<FastifyReply> {
    const form = { action: site.upload, csrfToken: viewer.csrfToken, refused };
    const replace = replacedBy(request);
    if (replace !== null)
      return sendDeskPage(context, request, reply, viewer, {
        title: (texts) => texts.replaceFile,
        section: "upload",
        page: { name: "replace", own: { replace } },
        withoutScripts: (texts) => plainReplacementForm(form, replace, texts),
      });
    refuseHomeless(viewer);
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.upload,
      section: "upload",
      page: { name: "upload", own: {} },
      withoutScripts: (texts) => plainUploadForm(form, texts),
    });
  }
}

/** Takes the file of the form. Returns the id of its document. */
async function receive(
  context: Context,
  publisher: Publisher,
  request: FastifyRequest,
  viewer: SessionViewer,
): Promise<number> {
  const [replaced, body] = [replacedBy(request), bodyOf(request)];
  if (replaced !== null) {
    await replaceByBody(context, viewer, replaced, body);
    return replaced;
  }
  refuseHomeless(viewer);
  if (!("form" in body) || body.file === undefined) throw noFile();
  return makeDocumentOfForm(context, publisher, viewer, membersIn(newFields, body), body.file);
}

/** The document whose file is to be replaced; null for a new document. */
function replacedBy(request: FastifyRequest): number | null {
  const replace = queryOf(request).last("replace") ?? "";
  return /^[1-9]\d{0,14}$/.test(replace) ? Number(replace) : null;
}

function refuseHomeless({ organization }: Pick<SessionViewer, "organization">): void {
  if (organization === null)
    throw permissionDenied("You do not belong to an organization, so you cannot upload documents.");
}

/** Instead of messages about the extension and about the request. */
const unknownType = "Files of this type cannot be uploaded.";
const tooLarge = "The file is larger than this server accepts.";

/** Faults that a person can mend, or that pass: the form says so and can be sent again. */
const statusesAtField: ReadonlySet<number> = new Set([400, 409, 413, 429, 507]);

function refusedUpload(request: FastifyRequest, { status, body }: ApiError): RefusedUpload {
  const textOf = (name: string): string => textIn(request, name);
  const byField = (
    status === 413 ? { file: tooLarge } : Array.isArray(body) ? { file: body } : body
  ) as Record<string, string | readonly string[]>;
  const { access: ofAccess = [], file_url: ofAddress = [], original_extension: ofType, ...others } = byField;
  return {
    access: textOf("access"),
    address: textOf("file_url"),
    errors: {
      access: [ofAccess].flat(),
      file_url: [ofAddress].flat(),
      // The extension comes from the name of the file.
      file: [...(ofType === undefined ? [] : [unknownType]), ...Object.values(others).flat()],
    },
  };
}
