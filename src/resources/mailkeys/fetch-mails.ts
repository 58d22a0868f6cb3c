import type { ImapFlow } from "imapflow";
import type { Context } from "../../context.ts";
import { reasonOf } from "../../errors.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job, JobKind } from "../../jobs/running-job.ts";
import {
  RefusedMailError,
  findKeyOf,
  headOfMail,
  noSuchAddress,
  noteRefusedMail,
  receiveMail,
} from "./receive-mail.ts";
import { type MailKeyRow, findLastUid, setLastUid } from "./store.ts";

/*
 * The mails of a mailbox are taken in, in the order of their UIDs, by a job: so only one machine does it at a time.
 * What became of a mail is written before its UID, so a job that is killed takes up that mail again, which by then is
 * known. Nothing changes in the mailbox.
 */

/** The job that takes in the new mails of the mailbox. */
export const fetchMailsJob = "fetch mails";

type Services = Pick<Context, "config" | "database" | "files" | "jobs" | "log" | "uploads">;

const silenceMilliseconds = 60_000;
/** How many mails one attempt lists before it looks again. */
const listedAtOnce = 500;
const maxRecipients = 100;
/** The headers that name recipients: those that mail servers add, and those of the sender. */
const recipientHeaders = new Set(["delivered-to", "x-original-to", "envelope-to", "to", "cc", "bcc"]);

/** Queues the job. Scheduled work. */
export async function queueFetching({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  await database.write((writer) => enqueue(writer, { kind: fetchMailsJob, subject: 0 }));
  jobs.notify();
}

/** The job, as a runner has it. */
export const mailInJobs = (
  context: Services,
  common: Omit<JobKind, "run">,
): Record<typeof fetchMailsJob, JobKind> => ({
  [fetchMailsJob]: {
    ...common,
    run: (job, signal) => fetchMails(context, job, signal),
    failed: (job, reason) => fetchingFailed(context, job, reason),
    // A separate slot: the mailbox may be on a slow server.
    ownSlots: 1,
  },
});

/** Takes in what is new in the mailbox. */
async function fetchMails(services: Services, job: Job, signal: AbortSignal): Promise<void> {
  const { mailInImap } = services.config;
  if (mailInImap !== null) {
    const { client, name } = await clientFor(mailInImap);
    const stop = (): void => client.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await client.connect();
      await takeNew(services, client, name, signal);
    } finally {
      signal.removeEventListener("abort", stop);
      client.close();
    }
  }
  await services.database.write((writer) => job.complete(writer));
}

/** Says to the operator why the mailbox was not read. The schedule queues the job again. */
async function fetchingFailed(services: Pick<Context, "database">, job: Job, reason: string): Promise<void> {
  const about = { user_id: null, way: "imap", sender: "" } as const;
  await noteRefusedMail(services, { ...about, reason: `The mailbox was not read to its end: ${reason}` });
  await services.database.write((writer) => job.complete(writer));
}

/** It loads the client only where a mailbox is read. */
async function clientFor(url: string): Promise<{ client: ImapFlow; name: string }> {
  const { ImapFlow: Client } = await import("imapflow");
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const secure = protocol === "imaps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = /^(localhost|127\.|::1$)/.test(host);
  const client = new Client({
    host,
    port: port === "" ? (secure ? 993 : 143) : Number(port),
    secure,
    // A password is never sent to another machine in the clear.
    ...(!secure && { doSTARTTLS: !isLocal }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: silenceMilliseconds,
    greetingTimeout: silenceMilliseconds,
    socketTimeout: silenceMilliseconds,
  });
  // Every call rejects, too.
  client.on("error", () => undefined);
  return { client, name: decodeURIComponent(pathname.slice(1)) || "INBOX" };
}

async function takeNew(
  services: Services,
  client: ImapFlow,
  mailbox: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, config } = services;
  const { uidValidity } = await client.mailboxOpen(mailbox, { readOnly: true });
  const { hostname, username } = new URL(config.mailInImap ?? "");
  const state = { name: `${username}@${hostname}/${mailbox}`, uid_validity: String(uidValidity) };
  let last = await findLastUid(database.reader, state);
  for (;;) {
    const mails = await listAfter(client, last);
    if (mails.length === 0) return;
    for (const mail of mails) {
      signal.throwIfAborted();
      await take(services, client, mail);
      last = mail.uid;
      await database.write((writer) => setLastUid(writer, { ...state, last_uid: last }));
    }
  }
}

interface ListedMail {
  uid: number;
  /** In bytes. */
  size: number;
}

/** The next mails, in ascending order. A range that ends with * always has the last mail. */
async function listAfter(client: ImapFlow, last: number): Promise<ListedMail[]> {
  const found = (await client.search({ uid: `${last + 1}:*` }, { uid: true })) || [];
  const uids = found.filter((uid) => uid > last).toSorted((one, other) => one - other);
  if (uids.length === 0) return [];
  const range = uids.slice(0, listedAtOnce).join(",");
  const mails = await client.fetchAll(range, { uid: true, size: true }, { uid: true });
  return mails.map(({ uid, size = 0 }) => ({ uid, size })).toSorted((one, other) => one.uid - other.uid);
}

/** The headers of one mail, because strangers choose how long they are; null if it is not there any more. */
async function headersOf(client: ImapFlow, { uid }: ListedMail): Promise<Buffer | null> {
  const found = await client.fetchOne(String(uid), { uid: true, headers: true }, { uid: true });
  return found === false ? null : (found.headers ?? Buffer.alloc(0));
}

/** @throws what may pass */
async function take(services: Services, client: ImapFlow, mail: ListedMail): Promise<void> {
  const { config, uploads } = services;
  const headers = await headersOf(client, mail);
  // Somebody has removed it from the mailbox.
  if (headers === null) return;
  const keys = await findKeys(services, headers);
  const [sender = ""] = (await headOfMail(headers)).from;
  const refuse = (user_id: number | null, reason: string): Promise<void> =>
    noteRefusedMail(services, { user_id, way: "imap", sender, reason });
  if (keys.length === 0) return refuse(null, noSuchAddress);
  if (mail.size > config.mailInMaxMb * 1024 * 1024) {
    for (const { user_id } of keys) await refuse(user_id, `The mail is larger than ${config.mailInMaxMb} MB`);
    return;
  }
  const { content } = await client.download(String(mail.uid), undefined, { uid: true });
  if (content === undefined) return;
  const file = await uploads.take(content);
  try {
    for (const key of keys) {
      try {
        await receiveMail(services, key, { path: file.path, way: "imap", sender });
      } catch (error) {
        if (!(error instanceof RefusedMailError)) throw error;
        await refuse(key.user_id, reasonOf(error));
      }
    }
  } finally {
    await uploads.drop(file.path);
  }
}

/** The keys whose addresses stand in the headers that name recipients. */
async function findKeys(services: Services, headers: Buffer): Promise<MailKeyRow[]> {
  const unfolded = headers.toString("latin1").replaceAll(/\r?\n[ \t]+/g, " ");
  const named = unfolded
    .split(/\r?\n/)
    .filter((line) => recipientHeaders.has(line.split(":")[0]?.trim().toLowerCase() ?? ""));
  const addresses = named.join(" ").match(/[\da-f-]{36}@[\w.-]+/gi) ?? [];
  const keys = new Map<number, MailKeyRow>();
  for (const address of [...new Set(addresses.map((each) => each.toLowerCase()))].slice(0, maxRecipients)) {
    const key = await findKeyOf(services, address);
    if (key !== null) keys.set(key.id, key);
  }
  return [...keys.values()];
}
