import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../context.ts";
import { addDocuments } from "./factories.ts";
import { type Person, addPerson } from "./people.ts";
import { sendAs } from "./requests.ts";
import type { TestApp } from "./test-app.ts";

/** A file to upload as a document. */
export interface SentFile {
  extension: string;
  bytes: Uint8Array;
}

/** Adds a person who may upload, to an empty database. */
export async function addOwner(context: Pick<Context, "database">): Promise<Person> {
  const { database } = context;
  await addDocuments(context, []);
  await database.write(async (writer) => database.dialect.afterOwnIds("organizations")?.execute(writer));
  return addPerson(context, { username: "owner", organizations: [1] });
}

/** Creates a document, uploads its file and starts processing. Returns the document's id. */
export async function sendFile(
  app: Pick<TestApp, "fetch">,
  owner: Person,
  { extension, bytes }: SentFile,
  title = "One",
): Promise<number> {
  const made = { title, original_extension: extension };
  const { status, body } = await sendAs(app, owner, "POST", "/api/documents/", made);
  if (status !== 201) throw new Error(`A document was not made: ${status}`);
  const put = await fetch(body.presigned_url, { method: "PUT", body: new Uint8Array(bytes) });
  if (put.status !== 200) throw new Error(`The file was not taken: ${put.status}`);
  const asked = await sendAs(app, owner, "POST", `/api/documents/${body.id}/process/`);
  if (asked.status !== 200) throw new Error(`Nobody will process it: ${asked.status}`);
  return body.id;
}

/** The final status of a document, with its error messages. */
export async function endOf(
  app: Pick<TestApp, "fetch">,
  owner: Person,
  id: number,
): Promise<{ id: number; status: string; pages: number; reason: string | null }> {
  const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/`);
  const errors = await sendAs(app, owner, "GET", `/api/documents/${id}/errors/`);
  const [last] = errors.body.results.slice(-1);
  return { id, status: body.status, pages: body.page_count, reason: last?.message ?? null };
}

/** No job of a test takes this long. */
const stuckMilliseconds = 120_000;

/** Resolves when no job is queued or running, in any process. Rejects if they do not end. */
export async function everyJobDone({ database }: Pick<Context, "database">): Promise<void> {
  let before = "";
  for (let changedAt = performance.now(); ;) {
    const jobs = await database.reader.selectFrom("jobs").selectAll().execute();
    if (jobs.length === 0) return;
    const attempts = JSON.stringify(jobs.map((job) => [job.id, job.attempts]));
    if (attempts !== before) changedAt = performance.now();
    before = attempts;
    if (performance.now() - changedAt > stuckMilliseconds)
      throw new Error(`These jobs do not end: ${JSON.stringify(jobs)}`);
    await wait(50);
  }
}
