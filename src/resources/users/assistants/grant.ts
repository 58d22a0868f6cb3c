import { hash, timingSafeEqual } from "node:crypto";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { isActiveUser, lockAccount } from "../account-store.ts";
import { type AssistantClient, findClient, noteClientUse, removeEnded } from "./client-store.ts";
import { type Consent, findUserOfCode, noteConnection, takeCode } from "./code-store.ts";
import {
  type AssistantTokens,
  type Connection,
  addConnection,
  addTokens,
  findByToken,
  useRefreshToken,
} from "./connection-store.ts";
import { endConnections } from "../end-connections.ts";
import { hostOf } from "./redirect-address.ts";

/** The tokens that a client gets, or why it gets none, with the codes of RFC 6749 and 8707. */
export type Granted =
  | (AssistantTokens & { mayWrite: boolean })
  | { problem: "invalid_grant" | "invalid_target" };

type Store = Pick<Context, "database">;

export interface PresentedCode {
  clientId: string;
  code: string;
  redirectUri: string;
  verifier: string;
  /** Null if the client names none: then it is the one that the person has agreed to. */
  resource: string | null;
}

/**
 * Exchanges a code for tokens. It works once, for the client, the redirect and the proof for which it was given. A
 * second use ends what came of the first: one of the two was a thief's.
 */
export async function exchangeCode({ database }: Store, presented: PresentedCode): Promise<Granted> {
  return database.write(async (writer) => {
    const userId = await findUserOfCode(writer, presented.code);
    if (userId === null) return invalidGrant;
    // What ends the person's sign-ins waits for this transaction, or this one for it, so that no token survives.
    await lockAccount(writer, database.dialect, userId);
    const taken = await takeCode(writer, presented.code);
    if (taken.state === "taken" && taken.connectionId !== null)
      await endConnections(writer, userId, { id: taken.connectionId }, null);
    if (taken.state !== "taken now") return invalidGrant;
    const client = await findClient(writer, presented.clientId);
    if (client === null || !isFor(taken.consent, client, presented)) return invalidGrant;
    if (presented.resource !== null && presented.resource !== taken.consent.resource)
      return { problem: "invalid_target" };
    if (!(await isActiveUser(writer, userId))) return invalidGrant;
    const connection = await connect(writer, taken.consent, client);
    await noteConnection(writer, presented.code, connection.id);
    return { ...(await addTokens(writer, connection)), mayWrite: connection.mayWrite };
  });
}

/** A client that has registered is one installation of a program, so another consent replaces its connection. */
async function connect(writer: Writer, consent: Consent, client: AssistantClient): Promise<Connection> {
  const { userId, resource, mayWrite, redirectUri } = consent;
  const isRegistered = !client.clientId.startsWith("https:");
  if (isRegistered) await endConnections(writer, userId, { clientId: client.id }, userId);
  await noteClientUse(writer, client.id);
  const { id: clientId, name } = client;
  return addConnection(writer, { userId, clientId, name, resource, mayWrite, host: hostOf(redirectUri) });
}

function isFor(consent: Consent, client: AssistantClient, presented: PresentedCode): boolean {
  return (
    consent.clientId === client.id &&
    consent.redirectUri === presented.redirectUri &&
    /^[\w.~-]{43,128}$/.test(presented.verifier) &&
    areEqual(hash("sha256", presented.verifier, "base64url"), consent.challenge)
  );
}

function areEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/**
 * Exchanges a refresh token for another pair. It works once: a second use, by whomever, ends the connection with all of
 * its tokens.
 */
export async function exchangeRefresh(
  { database }: Store,
  { clientId, token, resource }: { clientId: string; token: string; resource: string | null },
): Promise<Granted> {
  return database.write(async (writer) => {
    const connection = await findOwn(writer, clientId, token);
    if (connection === null || connection.kind !== "refresh") return invalidGrant;
    await lockAccount(writer, database.dialect, connection.userId);
    if (!(await isActiveUser(writer, connection.userId))) return invalidGrant;
    if (resource !== null && resource !== connection.resource) return { problem: "invalid_target" };
    if (!(await useRefreshToken(writer, token))) {
      await endConnections(writer, connection.userId, { id: connection.id }, null);
      return invalidGrant;
    }
    await noteClientUse(writer, connection.clientId);
    return { ...(await addTokens(writer, connection)), mayWrite: connection.mayWrite };
  });
}

/** Ends the connection of a token, if it is this client's. */
export async function revoke({ database }: Store, clientId: string, token: string): Promise<void> {
  await database.write(async (writer) => {
    const connection = await findOwn(writer, clientId, token);
    if (connection === null) return;
    await endConnections(writer, connection.userId, { id: connection.id }, connection.userId);
  });
}

async function findOwn(writer: Writer, clientId: string, token: string) {
  const client = await findClient(writer, clientId);
  const connection = client === null ? null : await findByToken(writer, token);
  return connection !== null && connection.clientId === client?.id ? connection : null;
}

/** Removes what is over: see {@link removeEnded}. */
export async function removeEndedAssistants({ database }: Store): Promise<void> {
  await database.write(removeEnded);
}

const invalidGrant: Granted = { problem: "invalid_grant" };
