import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { personLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { pageTexts } from "../../texts/pages.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import { requestReset } from "../../resources/mails/request-reset.ts";
import { isFromElsewhere, sendUncached } from "./form-pages.ts";
import { type ForgotPasswordView, renderForgotPasswordPage } from "./forgot-password-page.ts";

/** The page on which people ask for a new password by mail. Without a mail server, it does not exist. */
export function forgotPasswordRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  const unlessMissing = (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (hasMail(config)) done();
    else reply.callNotFound();
  };

  const reading = { schema: {}, config: { isHidden: !hasMail(config) }, onRequest: unlessMissing };
  app.get("/forgot-password/", reading, (request, reply) => sendForm(request, reply, 200, { problem: null }));
  leadToSlash(app, "/forgot-password/");

  const options = { schema: {}, bodyLimit: shortBodyLimit, onRequest: unlessMissing };
  app.post("/forgot-password/", options, async (request, reply) => {
    const texts = pageTexts(localSite(request)).account;
    const sent = textIn(request, "name").trim().slice(0, personLimits.email);
    if (isFromElsewhere(config, request)) {
      return sendForm(request, reply, 403, { problem: texts.fromElsewhere });
    }
    if (sent === "") return sendForm(request, reply, 400, { problem: texts.enterName });
    try {
      await requestReset(context, sent.replaceAll("\0", "").toWellFormed(), request.ip);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      reply.headers(error.headers);
      return sendForm(request, reply, 429, { problem: texts.tooManyRequests });
    }
    return sendForm(request, reply, 200, { problem: null, isSent: true });
  });

  function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    view: Omit<ForgotPasswordView, "site">,
  ): FastifyReply {
    const page = renderForgotPasswordPage({ site: localSite(request), ...view });
    return sendUncached(reply.code(status), app.site.home, page);
  }
}
