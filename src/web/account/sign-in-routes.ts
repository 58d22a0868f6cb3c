import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { personLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { removeSessionCookies } from "../../http/request/session-cookies.ts";
import { ApiError } from "../../errors.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import { signIn } from "../../resources/users/credentials/sign-in.ts";
import { Oidc } from "../../resources/identities/oidc.ts";
import { findEnabledProviders } from "../../resources/identities/store.ts";
import { nextAddress } from "./local-path.ts";
import { isFromElsewhere, minutesIn, sendUncached } from "./form-pages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { providerRoutes } from "./provider-routes.ts";
import { afterPassword, secondStepRoutes } from "./second-step-routes.ts";
import { renderSignInPage, renderSignedInPage } from "./sign-in-page.ts";
import { endSession, signOutRoute } from "./sign-out-route.ts";

export const signInPaths = [
  "/sign-in/",
  "/sign-in/second/",
  "/sign-in/with/:id/",
  "/sign-in/with/:id/return/",
  "/sign-in/with/:id/notice/",
  "/sign-out/",
  "/accounts/login/",
  "/accounts/login/squarelet",
  "/accounts/signup/",
  "/accounts/logout/",
] as const;

/** The address of the page that follows, if it is one of our own; else `otherwise`, or the home page. */
type ReadNext = (address: string | undefined, otherwise?: string) => string;

/** The routes for signing in and out on the web. */
export function signInRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  /** The home page on this host, even if the web pages are on another: the session belongs to this host. */
  const home = app.site.api.replace(/api\/$/, "");
  /** Origins whose pages may read a signed-in user's data are also valid redirect targets. */
  const origins = [config.url, config.webUrl, ...(config.allowedOrigins ?? [])].flatMap((address) =>
    address === null ? [] : [new URL(address).origin],
  );
  const readNext: ReadNext = (address, otherwise = home) => nextAddress(address, { origins, otherwise });
  const oidc = new Oidc(context.secrets);
  providerRoutes(app, context, { oidc, readNext });
  signOutRoute(app, context, { oidc, readNext });
  secondStepRoutes(app, context);

  app.get("/sign-in/", { schema: {} }, (request, reply) => {
    const { viewer } = request;
    const next = readNext(queryOf(request).last("next"));
    if (viewer.kind === "user" && viewer.csrfToken !== null) {
      const { username, csrfToken } = viewer;
      return sendUncached(
        reply,
        next,
        renderSignedInPage({ site: localSite(request), next, username, csrfToken }),
      );
    }
    removeSessionCookies(config, request, reply);
    return sendForm(context, request, reply, 200, { next, username: "", problem: null });
  });

  app.get("/sign-in", { schema: {} }, (_request, reply) => reply.redirect(app.site.signIn, 301));

  addressesOfDocumentCloud(app, context, readNext);

  app.post("/sign-in/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const { username, password, next } = credentialsIn(request);
    const texts = pageTexts(localSite(request)).account;
    const refuse = (status: number, problem: string): Promise<FastifyReply> =>
      sendForm(context, request, reply, status, { next, username, problem });
    if (isFromElsewhere(config, request)) return refuse(403, texts.fromElsewhere);
    try {
      const account = await signIn(context, { username, password, address: request.ip });
      const target = account && (await afterPassword(context, request, reply, { account, next }));
      if (target === null) return await refuse(403, texts.wrongPassword);
      await endSession(database, request);
      return reply.redirect(target, 303);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      reply.headers(error.headers);
      return refuse(429, texts.tooManyAttempts(minutesIn(error)));
    }
  });

  function credentialsIn(request: FastifyRequest): { username: string; password: string; next: string } {
    return {
      username: textIn(request, "username").trim().slice(0, personLimits.username),
      password: textIn(request, "password").slice(0, personLimits.password),
      next: readNext(textIn(request, "next")),
    };
  }
}

/**
 * Pages written for DocumentCloud send people to these addresses. They redirect to the sign-in page, which also has a
 * form for signing out: a mere link must not end a session.
 */
function addressesOfDocumentCloud(app: FastifyInstance, { config }: Context, readNext: ReadNext): void {
  const leadToSignIn = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const next = readNext(queryOf(request).last("next"), "");
    return reply.redirect(`${app.site.signIn}${next === "" ? "" : `?next=${encodeURIComponent(next)}`}`, 302);
  };
  app.get("/accounts/login/squarelet", { schema: {} }, leadToSignIn);
  app.get("/accounts/login/", { schema: {} }, leadToSignIn);
  app.get("/accounts/signup/", { schema: {} }, leadToSignIn);
  app.get("/accounts/logout/", { schema: {} }, (request, reply) => {
    if (request.viewer.kind === "user") return leadToSignIn(request, reply);
    removeSessionCookies(config, request, reply);
    return reply.redirect(readNext(queryOf(request).last("next")), 302);
  });
  for (const path of ["/accounts/login/", "/accounts/signup/", "/accounts/logout/"]) leadToSlash(app, path);
}

async function sendForm(
  { config, database }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  view: { next: string; username: string; problem: string | null },
): Promise<FastifyReply> {
  return sendUncached(
    reply.code(status),
    view.next,
    renderSignInPage({
      site: localSite(request),
      hasMail: hasMail(config),
      providers: await findEnabledProviders(database.reader),
      isForAdministrators: config.passwordSignIn === "administrators",
      ...view,
    }),
  );
}
