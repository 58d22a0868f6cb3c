import type { Person } from "./people.ts";
import { type Reply, sendAs } from "./requests.ts";
import type { TestApp } from "./test-app.ts";

/*
 * Many writers and readers of the same documents at once, so that one change could undo another. Each writer alternates
 * between two actions. First, it adds its own value to the same key of a document's data and removes its previous one:
 * if a change is lost, a value is missing, or one stays that nobody removes. Second, it adds one to the number in the
 * document's title, with `If-Match`, and tries again if it comes too late: if a change is lost, the number is lower
 * than the number of acknowledged changes. A reader never sees the number decrease.
 */

type Rest = Parameters<typeof sendAs> extends [unknown, ...infer All] ? All : never;
type Server = Pick<TestApp, "fetch">;

export interface Contest {
  /** Processes or applications on one storage. */
  servers: readonly Server[];
  /** The people who may change the documents. */
  people: readonly Person[];
  /** The documents' titles are "0" at first. */
  documents: readonly number[];
  writers: number;
  readers: number;
  /** Called before every action. */
  isOver: (actionsDone: number) => boolean;
}

export interface Outcome {
  acknowledged: number;
  /** Changes that came too late, and were tried again. */
  tooLate: number;
  read: number;
  /** Responses that no client should get. */
  unexpected: string[];
  /** Values that were acknowledged but are missing or duplicated. */
  lost: string[];
}

const sorted = (values: Iterable<string>): string => [...new Set(values)].toSorted().join();
const recordOf = (id: number): string => `/api/documents/${id}/`;

export async function runContest(contest: Contest): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: 0, tooLate: 0, read: 0, unexpected: [], lost: [] };
  const changes = new Map(
    contest.documents.map((id) => [id, { titles: 0, values: new Map<number, string>(), all: 0 }]),
  );
  const changesOf = (id: number) =>
    changes.get(id) ?? { titles: 0, values: new Map<number, string>(), all: 0 };
  /** A missing response counts as an unacceptable one. */
  const send = (server: Server, ...request: Rest): Promise<Reply> =>
    sendAs(server, ...request).catch((error: Error) => ({
      status: 0,
      body: `${error.message}: ${String(error.cause)}`,
      headers: new Headers(),
    }));
  const notAsExpected = (what: string, told: Reply): void => {
    outcome.unexpected.push(`${what}: ${told.status} ${JSON.stringify(told.body)}`);
  };

  async function write(writer: number): Promise<void> {
    const { servers, people, documents, isOver } = contest;
    const person = people[writer % people.length] ?? null;
    for (let action = 0; !isOver(outcome.acknowledged); action++) {
      const server = servers[(writer + action) % servers.length] as Server;
      const id = documents[(writer * 7 + action) % documents.length] ?? 0;
      if (action % 2 === 0) await putValue(server, person, id, writer, `${writer}:${action}`);
      else await count(server, person, id);
    }
  }

  async function putValue(
    server: Server,
    person: Person | null,
    id: number,
    writer: number,
    value: string,
  ): Promise<void> {
    const before = changesOf(id).values.get(writer);
    const told = await send(server, person, "PATCH", `${recordOf(id)}data/log/`, {
      values: [value],
      remove: before === undefined ? [] : [before],
    });
    if (told.status !== 200) return notAsExpected("PATCH data", told);
    changesOf(id).values.set(writer, value);
    changesOf(id).all++;
    outcome.acknowledged++;
  }

  async function count(server: Server, person: Person | null, id: number): Promise<void> {
    for (;;) {
      const found = await send(server, person, "GET", recordOf(id));
      if (found.status !== 200) return notAsExpected("GET record", found);
      const headers = { "if-match": found.headers.get("etag") ?? "" };
      const title = String(Number(found.body.title) + 1);
      const told = await send(server, person, "PATCH", recordOf(id), { title }, headers);
      if (told.status === 200) break;
      if (told.status !== 412) return notAsExpected("PATCH record", told);
      outcome.tooLate++;
      if (contest.isOver(outcome.acknowledged)) return undefined;
    }
    changesOf(id).titles++;
    changesOf(id).all++;
    outcome.acknowledged++;
  }

  async function read(reader: number, isDone: () => boolean): Promise<void> {
    const { servers, people, documents } = contest;
    const seen = new Map<number, number>();
    const see = (id: number, title: string): void => {
      if (Number(title) < (seen.get(id) ?? 0)) outcome.lost.push(`${id} went back to ${title}`);
      seen.set(id, Number(title));
    };
    for (let action = 0; !isDone(); action++) {
      const server = servers[(reader + action) % servers.length] as Server;
      const person = people[reader % people.length] ?? null;
      const id = documents[(reader + action) % documents.length] ?? 0;
      const target = [recordOf(id), "/api/documents/?per_page=100", `${recordOf(id)}history/?per_page=5`][
        action % 3
      ];
      const told = await send(server, person, "GET", target ?? "");
      if (told.status !== 200) notAsExpected("GET", told);
      else if (action % 3 === 0) see(id, told.body.title as string);
      else if (action % 3 === 1)
        for (const one of told.body.results as { id: number; title: string }[])
          if (changes.has(one.id)) see(one.id, one.title);
      outcome.read++;
    }
  }

  let isDone = false;
  const readers = Array.from({ length: contest.readers }, (_, reader) => read(reader, () => isDone));
  await Promise.all(Array.from({ length: contest.writers }, (_, writer) => write(writer)));
  isDone = true;
  await Promise.all(readers);

  const [server, person] = [contest.servers[0] as Server, contest.people[0] ?? null];
  for (const id of contest.documents) {
    const { titles, values, all } = changesOf(id);
    const { body } = await sendAs(server, person, "GET", recordOf(id));
    if (body.title !== String(titles)) outcome.lost.push(`${id}: title ${body.title}, not ${titles}`);
    const [there, expected] = [sorted(body.data.log ?? []), sorted(values.values())];
    if (there !== expected) outcome.lost.push(`${id}: data ${there}, not ${expected}`);
    const entries = await historyLength(server, person, id);
    if (entries !== all) outcome.lost.push(`${id}: ${entries} entries in its history, not ${all}`);
  }
  return outcome;
}

async function historyLength(server: Server, person: Person | null, id: number): Promise<number> {
  let length = 0;
  let target: string | null = `${recordOf(id)}history/?per_page=500`;
  while (target !== null) {
    const { body }: Reply = await sendAs(server, person, "GET", target);
    length += (body.results as unknown[]).length;
    target =
      body.next === null ? null : new URL(body.next as string).pathname + new URL(body.next as string).search;
  }
  return length;
}
