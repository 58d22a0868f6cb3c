import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { setSessionCookies } from "../../http/request/session-cookies.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { endAsTold } from "../../resources/identities/end-as-told.ts";
import { type Oidc, ProviderError, beginAt, claimsOf, readNotice } from "../../resources/identities/oidc.ts";
import { addressesAt } from "../../resources/identities/present.ts";
import { type Refusal, signInAt } from "../../resources/identities/sign-in-at.ts";
import { type ProviderRow, findProvider } from "../../resources/identities/store.ts";
import { cookiesOf } from "../../resources/users/credentials/session-store.ts";
import { type Catalogue, pageTexts } from "../../texts/pages.ts";
import { readBegun, setBegun } from "./begun-sign-in.ts";
import { isFromElsewhere, sendUncached } from "./form-pages.ts";
import { renderProviderProblemPage } from "./provider-pages.ts";

/** What the routes need besides the context. */
interface Means {
  oidc: Oidc;
  /** Makes an address that a client sends safe to be redirected to. */
  readNext: (address: string | undefined) => string;
}

/**
 * Signing in at an identity provider: the way there, the way back, and the provider's notice that somebody has signed
 * out. What a sign-in must find again is sealed in a cookie, so any process and any machine can end what another began.
 */
export function providerRoutes(app: FastifyInstance, context: Context, means: Means): void {
  beginRoute(app, context, means);
  returnRoute(app, context, means);
  noticeRoute(app, context, means);
}

function beginRoute(app: FastifyInstance, context: Context, { oidc, readNext }: Means): void {
  app.get("/sign-in/with/:id/", { schema: {} }, async (request, reply) => {
    const provider = await getProvider(context, request);
    const query = queryOf(request);
    const { viewer } = request;
    const connects =
      query.last("connect") !== undefined && viewer.kind === "user" && viewer.csrfToken !== null;
    // Another site could have somebody else's identity connected with the account, who could then sign in to it.
    if (connects && isFromElsewhere(context.config, request)) return reply.redirect(app.site.account, 302);
    try {
      const { address, expected } = await beginAt(await oidc.configurationOf(provider), {
        scopes: provider.scopes,
        returnAddress: returnAddressOf(context, request, provider),
      });
      const next = readNext(query.last("next"));
      const begun = { ...expected, next, connectTo: connects ? viewer.id : null };
      setBegun(context, request, reply, provider, begun);
      return await reply.header("cache-control", "no-store").redirect(address, 302);
    } catch (error) {
      return sendFailure(context, request, reply, provider, error);
    }
  });
}

function returnRoute(app: FastifyInstance, context: Context, { oidc }: Means): void {
  const { config, log } = context;
  app.get("/sign-in/with/:id/return/", { schema: {} }, async (request, reply) => {
    const provider = await getProvider(context, request);
    const begun = readBegun(context, request, provider);
    setBegun(context, request, reply, provider, null);
    const texts = pageTexts(localSite(request)).account;
    const { viewer } = request;
    const isOther =
      begun !== null &&
      begun.connectTo !== null &&
      !(viewer.kind === "user" && viewer.id === begun.connectTo);
    if (begun === null || isOther) return sendProblem(request, reply, 400, texts.signInTooOld);
    const { next, connectTo, ...expected } = begun;
    try {
      const address = new URL(returnAddressOf(context, request, provider));
      address.search = new URL(request.url, address).search;
      const claims = await claimsOf(await oidc.configurationOf(provider), address, expected);
      const browser = request.headers["user-agent"] ?? "";
      const result = await signInAt(context, { provider, claims, address: request.ip, browser, connectTo });
      if ("refusal" in result) {
        log.info({ provider: provider.name, reason: result.refusal }, "A sign-in at a provider was refused");
        return await sendProblem(request, reply, 403, refusalIn(texts, result.refusal, provider.name));
      }
      setSessionCookies(config, request, reply, cookiesOf(result.secret));
      return await reply.redirect(next, 303);
    } catch (error) {
      return sendFailure(context, request, reply, provider, error);
    }
  });
}

/** The provider's own server calls this address, without a cookie. Its signature is the credential. */
function noticeRoute(app: FastifyInstance, context: Context, { oidc }: Means): void {
  const path = "/sign-in/with/:id/notice/";
  app.post(path, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const provider = await getProvider(context, request);
    const token = textIn(request, "logout_token");
    reply.header("cache-control", "no-store");
    try {
      const notice = await readNotice(await oidc.configurationOf(provider), token);
      if (notice === null) return await reply.code(400).send({ error: "invalid_request" });
      await endAsTold(context, provider, notice);
      return await reply.code(200).send();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn(
        { err: error, provider: provider.name },
        "The notice of a provider could not be checked",
      );
      return reply.code(502).send({ error: "temporarily_unavailable" });
    }
  });
}

async function getProvider({ database }: Context, request: FastifyRequest): Promise<ProviderRow> {
  const provider = await findProvider(database.reader, idIn(request, "id"));
  if (provider === null || !provider.is_enabled) throw notFound();
  return provider;
}

function returnAddressOf({ config }: Context, request: FastifyRequest, { id }: ProviderRow): string {
  return addressesAt(addressesOf(config, request).api, id).return_address;
}

function sendFailure(
  { log }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name }: ProviderRow,
  error: unknown,
): FastifyReply {
  if (!(error instanceof ProviderError)) throw error;
  log.warn({ err: error, provider: name }, "A sign-in at a provider failed");
  const problem = pageTexts(localSite(request)).account.providerFailed(name, error.message);
  return sendProblem(request, reply, 502, problem);
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  problem: string,
): FastifyReply {
  const site = localSite(request);
  return sendUncached(reply.code(status), site.home, renderProviderProblemPage({ site, problem }));
}

function refusalIn(texts: Catalogue["account"], refusal: Refusal, name: string): string {
  switch (refusal) {
    case "no account":
      return texts.providerWithoutAccount(name);
    case "disabled":
      return texts.accountDisabled;
    case "of another account":
      return texts.providerOfOther(name);
    case "groups left out":
      return texts.providerLeftOutGroups(name);
  }
}
