import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import type { Context } from "../context.ts";
import { reasonOf } from "../errors.ts";
import { networkOf } from "../http/request/client-address.ts";
import {
  RefusedMailError,
  findKeyOf,
  noSuchAddress,
  noteRefusedMail,
  receiveMail,
} from "../resources/mailkeys/receive-mail.ts";
import type { MailKeyRow } from "../resources/mailkeys/store.ts";
import { countAttempt } from "../resources/users/credentials/sign-in-attempt-store.ts";

/*
 * Receives mails by SMTP, from a mail server that relays them or from anywhere. A mail goes to the disk as it comes,
 * and is answered with 250 when its document is recorded. Until then the sender keeps it, and sends it again.
 */

const silenceMilliseconds = 60_000;
/** How long one mail may take to arrive. */
const mailMilliseconds = 600_000;
const maxClients = 50;
const maxRecipients = 20;
/** Maximum mails to one key, and unknown addresses from one network, within a quarter of an hour. */
const maxMailsOfKey = 300;
const maxUnknown = 100;

export interface MailReceiver extends AsyncDisposable {
  address: AddressInfo;
}

/** An answer of SMTP: 4xx lets the sender try again later, and 5xx does not. */
const answer = (responseCode: number, message: string): Answer =>
  Object.assign(new Error(message), { responseCode });
type Answer = Error & { responseCode: number };

/** Null if no setting names a port and a domain. */
export async function startMailReceiver(context: Context): Promise<MailReceiver | null> {
  const { mailInPort, mailInHost, mailInDomain, readOnly } = context.config;
  if (mailInPort === null || mailInDomain === null || readOnly) return null;
  const server = await serverFor(context);
  server.on("error", (error: Error) => context.log.debug({ err: error }, "A connection for mail failed"));
  const listening = server.listen(mailInPort, mailInHost);
  await once(listening, "listening");
  return {
    address: listening.address() as AddressInfo,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function serverFor(context: Context): Promise<SMTPServer> {
  const { config } = context;
  const disconnect = ({ id }: SMTPServerSession): void => {
    for (const connection of server.connections) if (connection.id === id) connection.close();
  };
  const { SMTPServer: Server } = await import("smtp-server");
  const { mailInCertificate: certificate, mailInCertificateKey: key } = config;
  const hasCertificate = certificate !== null && key !== null;
  const server = new Server({
    name: config.mailInDomain ?? "",
    banner: "Quire",
    disabledCommands: hasCertificate ? ["AUTH"] : ["AUTH", "STARTTLS"],
    ...(hasCertificate && { cert: await readFile(certificate), key: await readFile(key) }),
    size: config.mailInMaxMb * 1024 * 1024,
    maxClients,
    socketTimeout: silenceMilliseconds,
    closeTimeout: config.stopLimitSeconds * 1000,
    disableReverseLookup: true,
    async onRcptTo({ address }, session, done) {
      const refusal = await refusalOf(context, admit(context, session, address));
      done(refusal);
      if (refusal?.responseCode === 421) setImmediate(() => disconnect(session));
    },
    async onData(stream, session, done) {
      const late = setTimeout(() => disconnect(session), mailMilliseconds).unref();
      const refusal = await refusalOf(context, receive(context, stream, session));
      clearTimeout(late);
      done(refusal, "OK: recorded");
    },
  });
  return server;
}

/** Refuses a recipient that no key names. */
async function admit(context: Context, session: SMTPServerSession, address: string): Promise<void> {
  if (session.envelope.rcptTo.length >= maxRecipients) throw answer(452, "Too many recipients");
  const key = await findKeyOf(context, address);
  if (key === null) {
    const network = `mail from ${networkOf(session.remoteAddress)}`;
    const isTooMuch = (await countAttempt(context.database, network, maxUnknown)) !== null;
    throw isTooMuch ? answer(421, "Too many unknown addresses, try again later") : answer(550, noSuchAddress);
  }
  if ((await countAttempt(context.database, `mail to ${key.id}`, maxMailsOfKey)) !== null)
    throw answer(450, "Too many mails, try again later");
}

async function receive(
  context: Context,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const { uploads, config } = context;
  const sender = senderOf(session);
  const tooLarge = `The mail is larger than ${config.mailInMaxMb} MB`;
  const file = await uploads.take(withinLimit(stream));
  try {
    for (const { address } of session.envelope.rcptTo) {
      const key = await findKeyOf(context, address);
      if (key === null) throw answer(550, noSuchAddress);
      if (stream.sizeExceeded) {
        await noteRefusedMail(context, { user_id: key.user_id, way: "smtp", sender, reason: tooLarge });
      } else await receiveFor(context, key, { path: file.path, sender });
    }
    if (stream.sizeExceeded) throw answer(552, tooLarge);
  } finally {
    await uploads.drop(file.path);
  }
}

/** What is beyond the limit is read, so that the sender hears the refusal, but not stored. */
async function* withinLimit(stream: SMTPServerDataStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (!stream.sizeExceeded) yield chunk as Uint8Array;
}

const senderOf = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom === false ? "" : mailFrom.address;

async function receiveFor(
  context: Context,
  key: MailKeyRow,
  { path, sender }: { path: string; sender: string },
): Promise<void> {
  try {
    await receiveMail(context, key, { path, way: "smtp", sender });
  } catch (error) {
    if (!(error instanceof RefusedMailError)) throw error;
    const { user_id } = key;
    await noteRefusedMail(context, { user_id, way: "smtp", sender, reason: reasonOf(error) });
    throw answer(550, noSuchAddress);
  }
}

/** The answer to what was not done; null if it was. Senders learn only reasons that are meant for them. */
async function refusalOf({ log }: Pick<Context, "log">, work: Promise<void>): Promise<Answer | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Error && "responseCode" in error) return error as Answer;
    const isBroken = (error as { code?: unknown }).code === "ECONNECTION";
    log[isBroken ? "debug" : "error"]({ err: error }, "A mail was not taken in");
    return answer(451, "The mail cannot be taken in now, try again later");
  }
}
