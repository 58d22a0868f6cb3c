import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import { personLimits } from "../../contract/limits.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { shortBodyLimit, textIn } from "../../http/request/body.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { countRecoveryCodes, findFactors } from "../../resources/users/credentials/factor-store.ts";
import {
  type PasskeySite,
  newPasskeyOptions,
  passkeySite,
  readNewPasskey,
} from "../../resources/users/credentials/passkeys.ts";
import {
  type NewFactor,
  addSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from "../../resources/users/credentials/second-factor.ts";
import { signIn } from "../../resources/users/credentials/sign-in.ts";
import { newTotpSecret, totpAddress, totpStep } from "../../resources/users/credentials/totp.ts";
import { pageTexts } from "../../texts/pages.ts";
import { readBegunFactor, setBegunFactor } from "./begun-factor.ts";
import {
  renderFactorsPage,
  renderNewAppPage,
  renderNewPasskeyPage,
  renderRecoveryCodesPage,
} from "./factor-pages.ts";
import { minutesIn, sendUncached } from "./form-pages.ts";

type Show = (
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SessionViewer,
  problem: string | null,
) => Promise<FastifyReply>;
type Act = (request: FastifyRequest, reply: FastifyReply, viewer: SessionViewer) => Promise<FastifyReply>;

/**
 * Where people add and remove their second factors. Each change needs the current password: a session that was left
 * open somewhere must not be enough to shut its owner out.
 */
export function factorRoutes(app: FastifyInstance, context: Context): void {
  const pages = new FactorPages(context);
  const forms: readonly (readonly [path: string, show: Show, act: Act])[] = [
    ["/account/factors/", pages.showFactors, pages.changeFactors],
    ["/account/factors/app/", pages.showNewApp, pages.addApp],
    ["/account/factors/passkey/", pages.showNewPasskey, pages.addPasskey],
  ];
  for (const [path, show, act] of forms) {
    app.get(path, { schema: {} }, async (request, reply) => {
      if (context.config.secondFactor === "off") throw notFound();
      const viewer = sessionViewer(request);
      if (viewer !== null) return show(request, reply, viewer, null);
      return leadToSignIn(reply, ownPath(reply));
    });
    app.post(path, { schema: {}, bodyLimit: shortBodyLimit }, (request, reply) =>
      takeForm(context, request, reply, { show, act }),
    );
  }
}

const ownPath = (reply: FastifyReply): string => `${reply.server.site.account}factors/`;

/** Checks the password, and acts. A form that is refused is shown again on its page. */
async function takeForm(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { show, act }: { show: Show; act: Act },
): Promise<FastifyReply> {
  if (context.config.secondFactor === "off") throw notFound();
  const viewer = formSender(request);
  const texts = pageTexts(visitedSite(request)).account;
  try {
    const password = textIn(request, "current_password").slice(0, personLimits.password);
    const account = await signIn(context, { username: viewer.username, password, address: request.ip });
    if (account?.id === viewer.id) return await act(request, reply, viewer);
    const problem = texts.messages["This is not your password."] ?? "";
    return await show(request, reply.code(400), viewer, problem);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    reply.headers(error.headers).code(429);
    return show(request, reply, viewer, texts.tooManyAttempts(minutesIn(error)));
  }
}

class FactorPages {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  readonly showFactors: Show = async (request, reply, { id, csrfToken }, problem) => {
    const { reader } = this.#context.database;
    const site = visitedSite(request);
    const done = pageTexts(site).account.factors.done[queryOf(request).last("done") ?? ""] ?? null;
    const factors = await findFactors(reader, id);
    const codesLeft = await countRecoveryCodes(reader, id);
    const page = renderFactorsPage({ site, csrfToken, factors, codesLeft, done, problem });
    return sendUncached(reply, site.home, page);
  };

  readonly changeFactors: Act = async (request, reply, { id }) => {
    if (textIn(request, "codes") !== "") {
      return sendCodes(request, reply, await renewRecoveryCodes(this.#context, id));
    }
    const factor = textIn(request, "remove");
    const isRemoved =
      /^\d{1,15}$/.test(factor) && (await removeSecondFactor(this.#context, id, Number(factor)));
    return reply.redirect(isRemoved ? `${ownPath(reply)}?done=removed` : ownPath(reply), 303);
  };

  readonly showNewApp: Show = async (request, reply, { id, username, csrfToken }, problem) => {
    const site = visitedSite(request);
    const begun = readBegunFactor(this.#context, request, "factor");
    const kept = problem !== null && begun?.user === id ? begun.secret : "";
    const secret = kept === "" ? await newTotpSecret() : kept;
    setBegunFactor(this.#context, request, reply, { kind: "factor", user: id, challenge: "", secret });
    const app = { secret, address: await totpAddress(secret, username) };
    return sendUncached(reply, site.home, renderNewAppPage({ site, csrfToken, problem }, app));
  };

  readonly addApp: Act = async (request, reply, viewer) => {
    const begun = readBegunFactor(this.#context, request, "factor");
    const code = textIn(request, "code").replaceAll(/\s/g, "");
    const secret = begun?.user === viewer.id ? begun.secret : "";
    const step = secret === "" ? null : await totpStep(secret, code);
    if (step === null) {
      const { wrong } = pageTexts(visitedSite(request)).account.factors;
      return this.showNewApp(request, reply.code(400), viewer, wrong);
    }
    return this.#add(request, reply, viewer, {
      kind: "totp",
      name: "",
      credential: null,
      counter: step,
      secret,
    });
  };

  readonly showNewPasskey: Show = async (request, reply, viewer, problem) => {
    const site = visitedSite(request);
    const factors = await findFactors(this.#context.database.reader, viewer.id);
    const known = factors.flatMap(({ credential }) => (credential === null ? [] : [credential]));
    const { options, challenge } = await newPasskeyOptions(this.#siteOf(request), viewer, known);
    const begun = { kind: "factor", user: viewer.id, challenge, secret: "" } as const;
    setBegunFactor(this.#context, request, reply, begun);
    const page = renderNewPasskeyPage({ site, csrfToken: viewer.csrfToken, problem }, options);
    return sendUncached(reply, site.home, page, { hasScript: true });
  };

  readonly addPasskey: Act = async (request, reply, viewer) => {
    const begun = readBegunFactor(this.#context, request, "factor");
    const challenge = begun?.user === viewer.id ? begun.challenge : "";
    const answer = textIn(request, "credential");
    const made = challenge === "" ? null : await readNewPasskey(this.#siteOf(request), answer, challenge);
    if (made === null) {
      const { passkeyFailed } = pageTexts(visitedSite(request)).account.factors;
      return this.showNewPasskey(request, reply.code(400), viewer, passkeyFailed);
    }
    const text = textIn(request, "name").replaceAll("\0", "").toWellFormed().trim();
    const name = text.slice(0, personLimits.name).toWellFormed();
    return this.#add(request, reply, viewer, { kind: "passkey", name, ...made });
  };

  #siteOf(request: FastifyRequest): PasskeySite {
    return passkeySite(addressesOf(this.#context.config, request).api);
  }

  async #add(
    request: FastifyRequest,
    reply: FastifyReply,
    { id }: SessionViewer,
    factor: NewFactor,
  ): Promise<FastifyReply> {
    const codes = await addSecondFactor(this.#context, id, factor);
    setBegunFactor(this.#context, request, reply, null);
    if (codes !== null) return sendCodes(request, reply, codes);
    return reply.redirect(`${ownPath(reply)}?done=added`, 303);
  }
}

function sendCodes(request: FastifyRequest, reply: FastifyReply, codes: readonly string[]): FastifyReply {
  const site = visitedSite(request);
  return sendUncached(reply, site.home, renderRecoveryCodesPage(site, codes, ownPath(reply)));
}
