import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { localSite } from "../../http/browsable/visited-site.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { setSessionCookies } from "../../http/request/session-cookies.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { type Account, findAccountById } from "../../resources/users/account-store.ts";
import { countRecoveryCodes, findFactors } from "../../resources/users/credentials/factor-store.ts";
import {
  passkeyOptions,
  passkeySite,
  readPasskeyAnswer,
} from "../../resources/users/credentials/passkeys.ts";
import {
  type FactorMethod,
  addFirstFactor,
  checkCode,
  checkPasskeyAnswer,
  needOf,
} from "../../resources/users/credentials/second-factor.ts";
import {
  type SessionMethod,
  addSession,
  cookiesOf,
} from "../../resources/users/credentials/session-store.ts";
import { noteOtherSignIn, noteWrongFactor } from "../../resources/users/credentials/sign-in.ts";
import { newTotpSecret, totpAddress, totpStep } from "../../resources/users/credentials/totp.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type BegunSignIn, readBegunFactor, setBegunFactor } from "./begun-factor.ts";
import { renderRecoveryCodesPage, renderRequiredSetUpPage, renderSecondStepPage } from "./factor-pages.ts";
import { isFromElsewhere, minutesIn, sendUncached } from "./form-pages.ts";

/**
 * After the right password: begins a session, or leads to the second step of signing in. Returns where to go; null if
 * the account has changed meanwhile.
 */
export async function afterPassword(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, next }: { account: Account; next: string },
): Promise<string | null> {
  if ((await needOf(context, account)) === "nothing") {
    return (await begin(context, request, reply, { account, method: "password" })) ? next : null;
  }
  const begun = { user: account.id, generation: account.tokenGeneration, next, challenge: "", secret: "" };
  setBegunFactor(context, request, reply, { kind: "sign-in", ...begun });
  return `${reply.server.site.signIn}second/`;
}

async function begin(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, method }: { account: Account; method: SessionMethod },
): Promise<boolean> {
  const secret = await addSession(context, account, request.headers["user-agent"], method);
  if (secret === null) return false;
  setSessionCookies(context.config, request, reply, cookiesOf(secret));
  return true;
}

/** The second step of signing in: a code, a passkey, or setting up the factor that is required. */
export function secondStepRoutes(app: FastifyInstance, context: Context): void {
  const step = new SecondStep(context);
  app.get("/sign-in/second/", { schema: {} }, (request, reply) => step.show(request, reply));
  app.post("/sign-in/second/", { schema: {}, bodyLimit: shortBodyLimit }, (request, reply) =>
    step.take(request, reply),
  );
}

interface Found {
  begun: BegunSignIn;
  account: Account;
}

class SecondStep {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#findBegun(request);
    if (found === null) return reply.redirect(reply.server.site.signIn, 302);
    return this.#sendStep(request, reply, found, null);
  }

  async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#findBegun(request);
    if (found === null) return reply.redirect(reply.server.site.signIn, 303);
    const texts = pageTexts(localSite(request)).account;
    if (isFromElsewhere(this.#context.config, request)) {
      return this.#sendStep(request, reply.code(403), found, texts.fromElsewhere);
    }
    try {
      if ((await needOf(this.#context, found.account)) === "set-up")
        return await this.#setUp(request, reply, found);
      const method = await this.#check(request, found);
      if (method === null) {
        await noteWrongFactor(this.#context, found.account.id, request.ip);
        return await this.#sendStep(request, reply.code(403), found, texts.factors.wrong);
      }
      return await this.#finish(request, reply, found, method);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      reply.headers(error.headers).code(429);
      return this.#sendStep(request, reply, found, texts.tooManyAttempts(minutesIn(error)));
    }
  }

  /** Null if the sign-in is too old, or the account has changed since the password was right. */
  async #findBegun(request: FastifyRequest): Promise<Found | null> {
    const begun = readBegunFactor(this.#context, request, "sign-in");
    const account = begun === null ? null : await findAccountById(this.#context.database.reader, begun.user);
    if (begun === null || account === null) return null;
    return account.isActive && account.tokenGeneration === begun.generation ? { begun, account } : null;
  }

  async #sendStep(
    request: FastifyRequest,
    reply: FastifyReply,
    { begun, account }: Found,
    problem: string | null,
  ): Promise<FastifyReply> {
    const site = localSite(request);
    const need = await needOf(this.#context, account);
    if (need === "nothing") return this.#finish(request, reply, { begun, account }, null);
    if (need === "set-up") {
      const secret = begun.secret === "" ? await newTotpSecret() : begun.secret;
      setBegunFactor(this.#context, request, reply, { ...begun, secret });
      const address = await totpAddress(secret, account.username);
      return sendUncached(reply, begun.next, renderRequiredSetUpPage(site, { secret, address }, problem));
    }
    const factors = await findFactors(this.#context.database.reader, account.id);
    const known = factors.flatMap(({ credential }) => (credential === null ? [] : [credential]));
    const { api } = addressesOf(this.#context.config, request);
    const asked = known.length === 0 ? null : await passkeyOptions(passkeySite(api), known);
    setBegunFactor(this.#context, request, reply, { ...begun, challenge: asked?.challenge ?? "" });
    const hasCodes = (await countRecoveryCodes(this.#context.database.reader, account.id)) > 0;
    const takesCode = hasCodes || factors.some(({ kind }) => kind === "totp");
    const page = renderSecondStepPage({ site, problem, passkeys: asked?.options ?? null, takesCode });
    return sendUncached(reply, begun.next, page, { hasScript: asked !== null });
  }

  async #check(request: FastifyRequest, { begun, account }: Found): Promise<FactorMethod | null> {
    const answer = readPasskeyAnswer(textIn(request, "credential"));
    if (answer === null) return checkCode(this.#context, account.id, textIn(request, "code"));
    if (begun.challenge === "") return null;
    const site = passkeySite(addressesOf(this.#context.config, request).api);
    return checkPasskeyAnswer(this.#context, account.id, { answer, challenge: begun.challenge, site });
  }

  async #setUp(request: FastifyRequest, reply: FastifyReply, found: Found): Promise<FastifyReply> {
    const { begun, account } = found;
    const code = textIn(request, "code").replaceAll(/\s/g, "");
    const step = begun.secret === "" ? null : await totpStep(begun.secret, code);
    const words = pageTexts(localSite(request)).account.factors;
    if (step === null) return this.#sendStep(request, reply.code(403), found, words.wrong);
    const factor = { kind: "totp", name: "", credential: null, counter: step, secret: begun.secret } as const;
    const codes = await addFirstFactor(this.#context, account.id, factor);
    if (codes === null || !(await begin(this.#context, request, reply, { account, method: "totp" }))) {
      return reply.redirect(reply.server.site.signIn, 303);
    }
    setBegunFactor(this.#context, request, reply, null);
    await noteOtherSignIn(this.#context, account.id, request.ip);
    return sendUncached(reply, begun.next, renderRecoveryCodesPage(localSite(request), codes, begun.next));
  }

  /** @param method null if no second factor is needed any more */
  async #finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { begun, account }: Found,
    method: FactorMethod | null,
  ): Promise<FastifyReply> {
    const isBegun = await begin(this.#context, request, reply, { account, method: method ?? "password" });
    setBegunFactor(this.#context, request, reply, null);
    if (!isBegun) return reply.redirect(reply.server.site.signIn, 303);
    await noteOtherSignIn(this.#context, account.id, request.ip);
    return reply.redirect(begun.next, 303);
  }
}
