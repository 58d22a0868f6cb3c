import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { checkCsrf } from "../../http/request/csrf.ts";
import { removeSessionCookies, sessionCookie } from "../../http/request/session-cookies.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { type Oidc, ProviderError, signOutAddress } from "../../resources/identities/oidc.ts";
import { addressesAt } from "../../resources/identities/present.ts";
import { findProvider } from "../../resources/identities/store.ts";
import { removeRefreshTokens } from "../../resources/users/credentials/refresh-token-store.ts";
import { removeSession } from "../../resources/users/credentials/session-store.ts";
import { sendUncached } from "./form-pages.ts";
import { renderSignedOutPage } from "./provider-pages.ts";

/**
 * Signs a person out here, and leads those who came from an identity provider there, to sign out as well.
 *
 * @param readNext makes an address that a client sends safe to be redirected to.
 */
export function signOutRoute(
  app: FastifyInstance,
  context: Context,
  { oidc, readNext }: { oidc: Oidc; readNext: (address: string | undefined) => string },
): void {
  const { config, database } = context;
  app.post("/sign-out/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    checkCsrf(request);
    const { viewer } = request;
    const provider = await endSession(database, request);
    if (viewer.kind === "user" && viewer.mayWrite) await removeRefreshTokens(database, viewer.id);
    removeSessionCookies(config, request, reply);
    const there = provider === null ? null : await signOutThere(context, oidc, request, provider);
    const next = readNext(textIn(request, "next"));
    if (there === null) return reply.redirect(next, 303);
    // A browser does not follow a form to another site, so a page leads there.
    const page = renderSignedOutPage({ site: localSite(request), ...there });
    return sendUncached(reply, app.site.home, page);
  });
}

/** Ends the session of the request's cookie. Returns the id of the provider at which it began; null for a password. */
export async function endSession(database: Database, request: FastifyRequest): Promise<number | null> {
  const secret = findCookie(request.headers.cookie, sessionCookie);
  return secret === null ? null : database.write((writer) => removeSession(writer, secret));
}

/** Where a person signs out at the provider; null if that is not possible, or if the provider does not answer. */
async function signOutThere(
  { config, database, log }: Context,
  oidc: Oidc,
  request: FastifyRequest,
  id: number,
): Promise<{ name: string; address: string } | null> {
  const provider = await findProvider(database.reader, id);
  if (provider === null || !provider.is_enabled) return null;
  const { sign_out_address: after } = addressesAt(addressesOf(config, request).api, id);
  try {
    const address = signOutAddress(await oidc.configurationOf(provider), after);
    return address === null ? null : { name: provider.name, address };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, provider: provider.name }, "Nobody can sign out at the provider");
    return null;
  }
}
