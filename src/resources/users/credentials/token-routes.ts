import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { signInRefused } from "../../../errors.ts";
import { bodyOf, shortBodyLimit } from "../../../http/request/body.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { ErrorDetail } from "../../../http/fields/schema-shapes.ts";
import type { View } from "../../../http/browsable/view.ts";
import { credentialFields, refreshFields } from "./credential-fields.ts";
import { addRefreshToken } from "./refresh-token-store.ts";
import { checkCode, needOf } from "./second-factor.ts";
import { noteOtherSignIn, noteWrongFactor, signIn } from "./sign-in.ts";
import { type RunTokens, refreshRunToken, runTokenPrefix } from "./run-token-store.ts";
import { SignedTokens, lifeSeconds } from "./signed-tokens.ts";
import type { Account } from "../account-store.ts";
import { findKnownUser } from "../viewer-store.ts";

const tokenView: View = {
  name: "Token",
  description: "Gives an access token and a refresh token for a username and a password.",
  fields: { POST: credentialFields },
  leadsTo: "..",
};

const refreshView: View = {
  name: "Refresh",
  description:
    "Gives an access token and a new refresh token for a refresh token. The old one stays valid until it expires.",
  fields: { POST: refreshFields },
  leadsTo: "..",
};

const Tokens = Type.Object({ access: Type.String(), refresh: Type.String() }, { $id: "Tokens" });
const signingIn = { gives: Tokens, status: 200, also: { 401: ErrorDetail, 429: ErrorDetail } };

/** The routes where programs sign in. */
export function tokenRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  const tokens = new SignedTokens(context.secrets);

  resourceRoute(app, {
    path: "/api/token/",
    view: tokenView,
    writing: "checked by handler",
    credentials: "ignored",
    post: {
      schema: signingIn,
      isSecret: true,
      bodyLimit: shortBodyLimit,
      async answer(request) {
        const {
          username = "",
          password = "",
          code = "",
        } = readFields(credentialFields, membersIn(credentialFields, bodyOf(request)), "whole");
        const account = await signIn(context, { username, password, address: request.ip });
        if (account === null) throw noAccount();
        await checkSecondFactor(context, account, { code, address: request.ip });
        const refresh = await tokens.sign("refresh", account);
        const token = { id: refresh.id, lifeSeconds: lifeSeconds.refresh };
        if (!(await addRefreshToken(database, account, token, null))) throw noAccount();
        const access = await tokens.sign("access", account);
        return { refresh: refresh.text, access: access.text };
      },
    },
  });

  resourceRoute(app, {
    path: "/api/refresh/",
    view: refreshView,
    writing: "checked by handler",
    credentials: "ignored",
    post: {
      schema: signingIn,
      isSecret: true,
      bodyLimit: shortBodyLimit,
      async answer(request) {
        const { refresh: token = "" } = readFields(
          refreshFields,
          membersIn(refreshFields, bodyOf(request)),
          "whole",
        );
        return exchange(token);
      },
    },
  });

  async function exchange(oldToken: string): Promise<{ access: string; refresh: string }> {
    if (oldToken.startsWith(runTokenPrefix)) return exchangeOfRun(context, oldToken);
    const claims = await tokens.read(oldToken);
    if (claims === "expired") throw refused("Token is expired");
    if (claims === "invalid") throw refused("Token is invalid");
    if (claims.type !== "refresh") throw refused("Token has wrong type");
    const user = claims.user === null ? null : await findKnownUser(database, { uuid: claims.user });
    if (user === null || claims.user === null || claims.generation !== user.tokenGeneration) {
      throw refused("Token is invalid");
    }
    const account = { id: user.viewer.id, uuid: claims.user, tokenGeneration: user.tokenGeneration };
    const refresh = await tokens.sign("refresh", account);
    const token = { id: refresh.id, lifeSeconds: lifeSeconds.refresh };
    if (!(await addRefreshToken(database, account, token, claims.id))) throw refused("Token is invalid");
    const access = await tokens.sign("access", account);
    return { access: access.text, refresh: refresh.text };
  }
}

/** Another access token for the program of a run. */
async function exchangeOfRun({ database }: Context, token: string): Promise<RunTokens> {
  const tokens = await database.write((writer) => refreshRunToken(writer, token));
  if (tokens === null) throw refused("Token is invalid");
  return tokens;
}

/** Programs send the code of an app, or a recovery code, with the password. A passkey needs a browser. */
async function checkSecondFactor(
  context: Context,
  account: Account,
  { code, address }: { code: string; address: string },
): Promise<void> {
  const need = await needOf(context, account);
  if (need === "nothing") return;
  const detail =
    need === "set-up"
      ? "This account needs a second factor. Set it up on the sign-in page."
      : "This account has a second factor. Send a code of it as `code`, or use a personal token.";
  if (need === "set-up" || code === "") throw signInRefused({ detail, code: "second_factor_needed" });
  if ((await checkCode(context, account.id, code)) === null) {
    await noteWrongFactor(context, account.id, address);
    throw signInRefused({ detail: "The code is wrong, or was used already.", code: "second_factor_wrong" });
  }
  await noteOtherSignIn(context, account.id, address);
}

const noAccount = (): Error =>
  signInRefused({ detail: "No active account found with the given credentials" });

const refused = (detail: string): Error => signInRefused({ detail, code: "token_not_valid" });
