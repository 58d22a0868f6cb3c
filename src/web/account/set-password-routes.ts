import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { personLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { pageTexts } from "../../texts/pages.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import { passwordProblem } from "../../resources/users/add-user.ts";
import { hasApiTokens } from "../../resources/users/credentials/api-token-store.ts";
import { findPasswordLink } from "../../resources/users/credentials/password-link-store.ts";
import { setPasswordByLink } from "../../resources/users/credentials/password-links.ts";
import { findByLink, mayUsePassword, notePasswordSet } from "../../resources/users/credentials/sign-in.ts";
import { TooBusyError } from "../../semaphore.ts";
import { isFromElsewhere, sendUncached } from "./form-pages.ts";
import { afterPassword } from "./second-step-routes.ts";
import { renderEndedLinkPage, renderSetPasswordPage } from "./set-password-page.ts";

/**
 * The page that a password link leads to. Reading it changes nothing, because mail programs open links to look at them.
 * The token is the credential, so the form needs no CSRF token: another site does not know it.
 */
export function setPasswordRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const path = "/set-password/";

  app.get(path, { schema: {} }, async (request, reply) =>
    sendForm(request, reply, 200, queryOf(request).last("token") ?? "", null),
  );
  leadToSlash(app, path);

  app.post(path, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const texts = pageTexts(localSite(request)).account;
    const text = (name: string): string => textIn(request, name);
    const token = text("token");
    const password = text("password");
    if (isFromElsewhere(config, request)) {
      return sendForm(request, reply, 403, token, texts.fromElsewhere);
    }
    if (password !== text("repeated")) return sendForm(request, reply, 400, token, texts.passwordsDiffer);
    if (passwordProblem(password) !== null) {
      const problem = texts.passwordProblem(personLimits.minPassword, personLimits.password);
      return sendForm(request, reply, 400, token, problem);
    }
    try {
      const account = await findByLink(context, request.ip, () =>
        setPasswordByLink(context, token, password),
      );
      if (account === null) return sendEnded(request, reply);
      await notePasswordSet(context, account, request.ip);
      // Tokens outlive a password. Somebody who resets it because of an intruder has to see them.
      const hasTokens = await hasApiTokens(database.reader, account.id);
      const next = hasTokens ? `${app.site.account}?done=link#tokens` : app.site.home;
      const target = mayUsePassword(config, account)
        ? await afterPassword(context, request, reply, { account, next })
        : null;
      return reply.redirect(target ?? app.site.signIn, 303);
    } catch (error) {
      if (!(error instanceof TooBusyError)) throw error;
      reply.header("retry-after", "1");
      return sendForm(request, reply, 429, token, texts.busy);
    }
  });

  async function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    token: string,
    problem: string | null,
  ): Promise<FastifyReply> {
    const user = await findByLink(context, request.ip, () => findPasswordLink(database.reader, token));
    if (user === null) return sendEnded(request, reply);
    const { username } = user;
    const page = renderSetPasswordPage({ site: localSite(request), token, username, problem });
    return sendUncached(reply.code(status), app.site.home, page);
  }

  function sendEnded(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return sendUncached(
      reply.code(404),
      app.site.home,
      renderEndedLinkPage(localSite(request), hasMail(config)),
    );
  }
}
