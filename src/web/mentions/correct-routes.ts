import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { type Members, formOf, shortBodyLimit } from "../../http/request/body.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { mayEdit } from "../../resources/documents/access.ts";
import { documentIn } from "../../resources/documents/file-routes.ts";
import {
  correctInDocument,
  correctInSearch,
  findInSearch,
} from "../../resources/documents/mentioned/correct-mentions.ts";
import { kindIn } from "../../resources/documents/mentioned/mentioned-values.ts";
import { type Correction, findCorrections } from "../../resources/documents/pages/correction-store.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { type DocumentRow, accessFacts } from "../../resources/documents/store.ts";
import { searchedNotes } from "../../resources/notes/of-documents.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { type CorrectionView, renderCorrection } from "./correct-page.ts";

/** The pages on which people correct what a document mentions, or those of a search. They need a session. */
export function correctMentionRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  app.get("/mentioned/correct/", { schema: {}, config: { takesLongQuery: true } }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, request.url);
    return sendForm(context, { request, reply, viewer, document: null });
  });
  leadToSlash(app, "/mentioned/correct/");

  app.post(
    "/mentioned/correct/",
    { schema: {}, bodyLimit: shortBodyLimit, config: { takesLongQuery: true } },
    async (request, reply) => {
      const viewer = formSender(request);
      return answerForm(context, { request, reply, viewer, document: null }, async (members) => {
        const searched = { viewer, notes: searchedNotes(database), query: searchIn(request) };
        const done = await correctInSearch(database, searched, members);
        return sendForm(context, { request, reply, viewer, document: null }, { done });
      });
    },
  );

  app.get("/documents/:id/mentioned/correct/", { schema: {} }, async (request, reply) => {
    const document = await documentIn(request, database);
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, request.url);
    if (!mayEdit(viewer, accessFacts(document))) throw notFound();
    return sendForm(context, { request, reply, viewer, document });
  });
  leadToSlash(app, "/documents/:id/mentioned/correct/");

  app.post(
    "/documents/:id/mentioned/correct/",
    { schema: {}, bodyLimit: shortBodyLimit },
    async (request, reply) => {
      const viewer = formSender(request);
      const document = await documentIn(request, database, viewer);
      if (!mayEdit(viewer, accessFacts(document))) throw notFound();
      return answerForm(context, { request, reply, viewer, document }, async (members) => {
        await correctInDocument(database, viewer, document.id, members);
        return reply.redirect(backTo(context, request, document), 303);
      });
    },
  );
}

interface Form {
  request: FastifyRequest;
  reply: FastifyReply;
  viewer: SessionViewer;
  document: DocumentRow | null;
}

/** The search of the address, without the value that is corrected. */
const searchIn = (request: FastifyRequest) => queryOf(request).with("kind", null).with("value", null);

/** The members that the API takes. */
function membersOf(form: ReadonlyMap<string, readonly string[]>): Members {
  const [kind, value, becomes, as] = ["kind", "value", "becomes", "as"].map((name) => form.get(name)?.at(-1));
  const meant = as === "rejected" ? null : as === "recognised" ? value : becomes;
  const sent: [string, unknown][] = [
    ["kind", kind],
    ["value", value],
    ["becomes", meant],
  ];
  return new Map(sent.filter(([, one]) => one !== undefined));
}

async function answerForm(
  context: Context,
  form: Form,
  work: (members: Members) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const sent = formOf(form.request);
  try {
    return await work(membersOf(sent));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    form.reply.code(400);
    const names = Object.keys(error.body as object);
    const words = pageTexts(visitedSite(form.request)).mentions;
    const message = names.includes("becomes") ? words.notOfKind : words.notMentioned;
    const texts = { becomes: sent.get("becomes")?.at(-1) ?? "" };
    return sendForm(context, form, { texts, errors: { becomes: [message] } });
  }
}

function backTo(
  { config }: Pick<Context, "config">,
  request: FastifyRequest,
  document: DocumentRow | null,
): string {
  const { web } = addressesOf(config, request);
  if (document !== null) return `${web}/documents/${document.id}/mentioned/`;
  return `${web}/mentioned/${queryOf(request).with("value", null).toString()}`;
}

async function sendForm(
  context: Context,
  { request, reply, viewer, document }: Form,
  {
    texts = {},
    errors = {},
    done = null,
  }: {
    texts?: Readonly<Record<string, string>>;
    errors?: Readonly<Record<string, readonly string[]>>;
    done?: { documents: number; more: boolean } | null;
  } = {},
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const { web } = addressesOf(context.config, request);
  const query = queryOf(request);
  const form = request.method === "POST" ? formOf(request) : new Map<string, readonly string[]>();
  const sent = form.has("kind") ? query.with("kind", form.get("kind")?.at(-1) ?? null) : query;
  const kind = kindIn(sent) ?? "email";
  const value = form.get("value")?.at(-1) ?? query.last("value") ?? "";
  const { database } = context;
  const page = renderCorrection({
    site,
    csrfToken: viewer.csrfToken,
    action:
      document === null
        ? `${web}/mentioned/correct/${searchIn(request).with("kind", kind).with("value", value).toString()}`
        : `${web}/documents/${document.id}/mentioned/correct/`,
    kind,
    value,
    texts,
    errors,
    document: document === null ? null : { title: document.title, href: documentAddress(web, document) },
    found:
      document === null
        ? await countInSearch({ database, request, viewer }, { kind, value })
        : { mentioned: 1, corrected: await countCorrected(database, document.id, { kind, value }) },
    back: backTo(context, request, document),
    done,
  });
  return sendUncached(reply, site.home, page);
}

type Value = Pick<Correction, "kind" | "value">;

async function countInSearch(
  { database, request, viewer }: Pick<Form, "request" | "viewer"> & Pick<Context, "database">,
  value: Value,
): Promise<CorrectionView["found"]> {
  const searched = { viewer, notes: searchedNotes(database), query: searchIn(request) };
  const [mentioned, corrected] = await Promise.all(
    (["mentioned", "corrected"] as const).map((state) =>
      findInSearch(database, searched, { ...value, state }),
    ),
  );
  return { mentioned: mentioned?.length ?? 0, corrected: corrected?.length ?? 0 };
}

async function countCorrected(
  { reader }: Pick<Context["database"], "reader">,
  id: number,
  { kind, value }: Value,
): Promise<number> {
  const corrections = await findCorrections(reader, id);
  return corrections.filter((one) => one.kind === kind && one.value === value).length;
}
