import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits, webhookLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { type Members, bodyOf, formOf, shortBodyLimit } from "../../http/request/body.ts";
import { listStart } from "../../http/request/cursor.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { findProjectsFor } from "../../resources/projects/list-store.ts";
import { listDeliveries } from "../../resources/webhooks/delivery-store.ts";
import { webhookFields } from "../../resources/webhooks/fields.ts";
import {
  changeWebhook,
  createWebhook,
  redeliver,
  rotateSecret,
} from "../../resources/webhooks/manage-webhooks.ts";
import { presentDelivery, presentWebhook } from "../../resources/webhooks/present.ts";
import { ownWebhooks } from "../../resources/webhooks/store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { errorsInWords, refusedBy } from "../forms/refused-form.ts";
import { sendUncached } from "./form-pages.ts";
import { type RefusedWebhook, renderWebhookPage, renderWebhooksPage } from "./webhook-pages.ts";

interface News {
  secret?: { words: string; secret: string };
  refused?: RefusedWebhook;
}

export const webhookPagePaths = [
  "/account/webhooks/",
  "/account/webhooks/:id/",
  "/account/webhooks/:id/secret/",
  "/account/webhooks/:id/delete/",
  "/account/webhooks/:id/deliveries/:delivery/",
] as const;

/** The pages on which people set up webhooks, and see what they were told. They need a session. */
export function webhookPageRoutes(app: FastifyInstance, context: Context): void {
  const path = `${app.site.account}webhooks/`;
  const pages = new WebhookPages(context, path);
  const get = (url: string, show: Show): void => {
    app.get(url, { schema: {} }, async (request, reply) => {
      const viewer = sessionViewer(request);
      const next = `${path}${url.includes(":id") ? `${idIn(request, "id")}/` : ""}`;
      if (viewer === null) return leadToSignIn(reply, next);
      return show(viewer, request, reply);
    });
    leadToSlash(app, url);
  };
  const post = (url: string, act: Show): void => {
    app.post(url, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
      const viewer = formSender(request);
      return act(viewer, request, reply);
    });
  };

  get("/account/webhooks/", (viewer, request, reply) => pages.sendList(viewer, request, reply));
  get("/account/webhooks/:id/", (viewer, request, reply) => pages.sendOne(viewer, request, reply));
  post("/account/webhooks/", async (viewer, request, reply) => {
    try {
      const { secret } = await createWebhook(context, viewer, valuesIn(formMembers(request)));
      const shown = { words: words(request).created, secret };
      return await pages.sendList(viewer, request, reply, { secret: shown });
    } catch (error) {
      return pages.sendList(viewer, request, reply, { refused: refusedWebhook(error, request, reply) });
    }
  });
  post("/account/webhooks/:id/", async (viewer, request, reply) => {
    const members = formMembers(request);
    try {
      await context.database.write(async (writer) => {
        const row = await ownWebhooks.lock(writer, viewer, { id: idIn(request, "id") });
        const sent = { values: valuesIn(members), extent: "whole" as const };
        await changeWebhook(context, writer, row, sent, viewer);
      });
    } catch (error) {
      return pages.sendOne(viewer, request, reply, { refused: refusedWebhook(error, request, reply) });
    }
    context.jobs.notify();
    return lead(reply, pages.pathOf(request), "saved");
  });
  // The page with a new secret has the address of its form, which may be visited again.
  app.get("/account/webhooks/:id/secret/", { schema: {} }, (request, reply) =>
    reply.redirect(pages.pathOf(request), 302),
  );
  post("/account/webhooks/:id/secret/", async (viewer, request, reply) => {
    const secret = await rotateSecret(context, viewer, idIn(request, "id"));
    return pages.sendOne(viewer, request, reply, { secret: { words: words(request).rotated, secret } });
  });
  post("/account/webhooks/:id/delete/", async (viewer, request, reply) => {
    await context.database.write(async (writer) => {
      const { id } = await ownWebhooks.lock(writer, viewer, { id: idIn(request, "id") });
      await ownWebhooks.remove(writer, { id });
    });
    return lead(reply, path, "deleted");
  });
  post("/account/webhooks/:id/deliveries/:delivery/", async (viewer, request, reply) => {
    await redeliver(context, viewer, { webhook: idIn(request, "id"), delivery: idIn(request, "delivery") });
    return lead(reply, pages.pathOf(request), "queued");
  });
}

type Show = (viewer: SessionViewer, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const words = (request: FastifyRequest) => pageTexts(visitedSite(request)).webhooks;

const lead = (reply: FastifyReply, to: string, done: string) => reply.redirect(`${to}?done=${done}`, 303);

class WebhookPages {
  readonly #context: Context;
  readonly #path: string;

  constructor(context: Context, path: string) {
    this.#context = context;
    this.#path = path;
  }

  pathOf(request: FastifyRequest): string {
    return `${this.#path}${idIn(request, "id")}/`;
  }

  async sendList(
    viewer: SessionViewer,
    request: FastifyRequest,
    reply: FastifyReply,
    news: News = {},
  ): Promise<FastifyReply> {
    const { rows } = await ownWebhooks.page(
      this.#context.database,
      viewer,
      listStart,
      webhookLimits.perPerson,
    );
    const view = await this.#viewOf(viewer, request, news);
    return sendUncached(
      reply,
      reply.server.site.home,
      renderWebhooksPage({ ...view, webhooks: rows.map(presentWebhook) }),
    );
  }

  async sendOne(
    viewer: SessionViewer,
    request: FastifyRequest,
    reply: FastifyReply,
    news: News = {},
  ): Promise<FastifyReply> {
    const row = await ownWebhooks.get(this.#context.database, viewer, { id: idIn(request, "id") });
    const { rows } = await listDeliveries(this.#context.database, row.id, listStart, pageLimits.usual);
    const view = await this.#viewOf(viewer, request, news);
    const webhook = presentWebhook(row);
    const page = renderWebhookPage({ ...view, webhook, deliveries: rows.map(presentDelivery) });
    return sendUncached(reply, reply.server.site.home, page);
  }

  async #viewOf(viewer: SessionViewer, request: FastifyRequest, { secret, refused }: News) {
    const site = visitedSite(request);
    const projects = await findProjectsFor(this.#context.database, viewer, [...viewer.projects.keys()]);
    const texts = pageTexts(site).webhooks;
    const sentences: Readonly<Record<string, string>> = {
      saved: texts.saved,
      deleted: texts.deleted,
      queued: texts.queued,
    };
    return {
      site,
      csrfToken: viewer.csrfToken,
      projects: [...projects.values()],
      secret: secret ?? null,
      done: sentences[queryOf(request).last("done") ?? ""] ?? null,
      refused: refused ?? null,
    };
  }
}

/** A form does not send a box without a tick. */
function formMembers(request: FastifyRequest): Members {
  const members = new Map(membersIn(webhookFields, bodyOf(request)));
  return members.set("enabled", members.has("enabled"));
}

const valuesIn = (members: Members) => readFields(webhookFields, members, "whole");

/** What a webhook's form is shown with again. */
function refusedWebhook(error: unknown, request: FastifyRequest, reply: FastifyReply): RefusedWebhook {
  const { messages, tooMany } = pageTexts(visitedSite(request)).webhooks;
  const refused = refusedBy(error, { request, reply }, [400], (refusal) => {
    const errors = errorsInWords(refusal, messages);
    const isFull = errors["non_field_errors"] !== undefined;
    return isFull ? { ...errors, non_field_errors: [tooMany(webhookLimits.perPerson)] } : errors;
  });
  return { ...refused, types: formOf(request).get("types") ?? [] };
}
