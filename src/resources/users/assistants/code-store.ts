import type { Writer } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";

/** What a person has agreed to, and for whom. */
export interface Consent {
  userId: number;
  /** The client's row. */
  clientId: number;
  redirectUri: string;
  /** Of PKCE: the SHA-256 of what the client keeps, as base64url. */
  challenge: string;
  resource: string;
  mayWrite: boolean;
}

const lifeSeconds = 60;

export async function addCode(writer: Writer, consent: Consent): Promise<string> {
  const code = newSecret(32);
  await writer
    .insertInto("assistant_codes")
    .values({
      digest: digestOf(code),
      user_id: consent.userId,
      client_id: consent.clientId,
      redirect_uri: consent.redirectUri,
      challenge: consent.challenge,
      resource: consent.resource,
      may_write: consent.mayWrite,
      expires_at: timestampIn(lifeSeconds),
    })
    .execute();
  return code;
}

/** A code that was presented. */
export type TakenCode =
  | { state: "unknown" }
  /** It was presented before; the connection that came of it, if there is one. */
  | { state: "taken"; connectionId: number | null }
  | { state: "taken now"; consent: Consent };

/** The person who has to be locked before a code is taken; null for an unknown code. */
export async function findUserOfCode(writer: Writer, code: string): Promise<number | null> {
  const row = await writer
    .selectFrom("assistant_codes")
    .select("user_id")
    .where("digest", "=", digestOf(code))
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Takes a code, whatever becomes of it: nobody can present it twice. */
export async function takeCode(writer: Writer, code: string): Promise<TakenCode> {
  const digest = digestOf(code);
  const row = await writer
    .updateTable("assistant_codes")
    .set({ taken_at: timestampNow() })
    .where("digest", "=", digest)
    .where("taken_at", "is", null)
    .returning(["user_id", "client_id", "redirect_uri", "challenge", "resource", "may_write", "expires_at"])
    .executeTakeFirst();
  if (row === undefined) {
    const taken = await writer
      .selectFrom("assistant_codes")
      .select("connection_id")
      .where("digest", "=", digest)
      .executeTakeFirst();
    return taken === undefined ? { state: "unknown" } : { state: "taken", connectionId: taken.connection_id };
  }
  if (row.expires_at <= timestampNow()) return { state: "unknown" };
  const consent = {
    userId: row.user_id,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    resource: row.resource,
    mayWrite: Boolean(row.may_write),
  };
  return { state: "taken now", consent };
}

/** Notes what came of a code. */
export async function noteConnection(writer: Writer, code: string, connectionId: number): Promise<void> {
  await writer
    .updateTable("assistant_codes")
    .set({ connection_id: connectionId })
    .where("digest", "=", digestOf(code))
    .execute();
}
