import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Published, type PublishedOperation } from "../src/testing/published.ts";
import { type Answer, answerFaults, answerOf } from "../src/testing/published-answers.ts";
import { RequestWorld, type Sender } from "../src/testing/request-world.ts";
import { defaultEngines } from "../src/testing/test-app.ts";

/*
 * Every operation of the published document gets requests that are refused. The document has to name the status of each
 * refusal, its content type and its shape. Successful answers are compared in schema.test.ts.
 */

const document = await Published.read();
/** A stream that ends after minutes: see events.test.ts. */
const isEndless = (path: string): boolean => path === "/api/events/stream/";
const operations = document.operations.filter(
  ({ path }) => !path.startsWith("/uploads/") && !isEndless(path),
);
const bodies = document.written();
const written = new Map(bodies.map((operation) => [operation.name, operation]));
/** These need a document with a PDF: see redact-document.test.ts and modify-document.test.ts. */
const isRewriting = /\/(?:redactions|modifications)\//;
/** Operations whose body needs one of two members, neither of which is required. */
const needsOneOfTwo = new Set([
  "POST /api/documents/{id}/file/",
  "POST /api/guest_links/",
  "POST /api/admin/retention_rules/",
  "POST /api/holds/",
  "POST /api/productions/",
  "POST /api/projects/{id}/users/",
]);

/**
 * Refusals that any operation may have, whatever it does: the document has them as `default`, together with the 403 of
 * credentials that are not valid.
 */
const general = new Set([405, 406, 413, 415, 429, 501, 503]);

/** They leave out members, even those that the schema requires. */
const selecting = new Set(["fields", "omit"]);

describe.each(defaultEngines)("what is refused on %s", (engine) => {
  let world: RequestWorld;
  beforeAll(async () => {
    world = await RequestWorld.open(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(operations)("of $name is in the document", async (published) => {
    const faults: unknown[] = [];
    for (const [what, sender, target, init] of requestsFor(published)) {
      const answer = await ask(sender, published.method, target, init);
      const isGeneral = what === "bad token" || general.has(answer.status);
      const isNamed = answer.status < 400 || isGeneral || answer.status in published.operation.responses;
      const found = isNamed
        ? answerFaults(document.whole, published.operation, answer)
        : [[answer.status, answer.answer.slice(0, 200)]];
      faults.push(...found.map((fault) => [what, sender, fault]));
    }
    expect(faults).toEqual([]);
  });

  it.each(bodies.filter(({ path }) => !isRewriting.test(path)))(
    "of a body of $name is what the document says",
    async (operation) => {
      const { method, isList, shape } = operation;
      const target = RequestWorld.targetOf(operation);
      const able = RequestWorld.senderFor(operation);
      const { example } = world.fitted(operation);
      const statusOf = async (item: object | null): Promise<number> => {
        const headers = { "content-type": "application/json" };
        const body = item === null ? "" : JSON.stringify(isList ? [item] : item);
        return (await ask(able, method, target, { headers, body })).status;
      };
      const { properties = {}, required = [], dependentRequired = {} } = shape;
      const without = (name: string): object =>
        Object.fromEntries(Object.entries(example).filter(([other]) => other !== name));
      for (const name of required) expect([name, await statusOf(without(name))]).toEqual([name, 400]);
      for (const [name, needed] of Object.entries(dependentRequired))
        for (const other of needed) expect([name, await statusOf(without(other))]).toEqual([name, 400]);
      const others = needsOneOfTwo.has(operation.name) ? {} : example;
      const limited = Object.entries(properties).filter(([, { minimum }]) => minimum !== undefined);
      for (const [name, { minimum = 0 }] of limited) {
        const status = await statusOf({ ...others, [name]: minimum - 1 });
        expect([name, status >= 400]).toEqual([name, true]);
      }
      const alone = Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)));
      const isComplete = (await statusOf(alone)) < 300;
      expect([isComplete, (await statusOf(null)) < 300]).toEqual([
        !needsOneOfTwo.has(operation.name),
        operation.operation.requestBody?.required === false,
      ]);
    },
  );

  it.each(operations)("of $name names its conditions", async (published) => {
    const { method, operation } = published;
    const headers = { "if-match": '"another"' };
    // Administrators delete entities, and only those that no document has.
    const isEntity = published.name === "DELETE /api/entities/{id}/";
    const able = isEntity ? "administrator" : RequestWorld.senderFor(published);
    const target = isEntity ? "/api/entities/2/" : RequestWorld.targetOf(published);
    const { status } = await ask(able, method, target, bodyOf(published, headers));
    const takesCondition = operation.parameters.some(({ name }) => name === "if-match");
    expect([takesCondition, "412" in operation.responses]).toEqual([status === 412, status === 412]);
  });

  function requestsFor(published: PublishedOperation): [string, Sender, string, RequestInit][] {
    const { path } = published;
    const able = RequestWorld.senderFor(published);
    const here = RequestWorld.targetOf(published);
    const nowhere = path.replaceAll(/\{\w+\}/g, (name) => (name === "{uuid}" ? unknownUuid : "999999"));
    const isWritten = published.method !== "GET" && published.method !== "DELETE";
    const queries = published.operation.parameters.flatMap(({ in: location, name }) =>
      location === "query" && !selecting.has(name)
        ? ["?", "999999", ""].map((value) => `${name}=${encodeURIComponent(value)}`)
        : [],
    );
    return [
      ...queries.map((query): [string, Sender, string, RequestInit] => [query, able, `${here}?${query}`, {}]),
      ["anonymous", "nobody", here, bodyOf(published)],
      ["bad token", "nobody", here, bodyOf(published, { authorization: "Bearer x" })],
      ["stranger", "stranger", here, bodyOf(published)],
      ["owner", "owner", here, bodyOf(published)],
      ["object", able, nowhere, bodyOf(published)],
      ["cursor", able, `${here}?cursor=x`, bodyOf(published)],
      ["type", able, here, { body: "x", headers: { "content-type": "text/x" } }],
      ...(isWritten ? spoiltBodies : []).map((body): [string, Sender, string, RequestInit] => [
        body.slice(0, 20),
        able,
        here,
        { body, headers: { "content-type": "application/json" } },
      ]),
    ].filter(([what]) => isWritten || what !== "type") as [string, Sender, string, RequestInit][];
  }

  /** A request with the example of the operation, if it takes JSON. */
  function bodyOf({ name }: PublishedOperation, headers: Record<string, string> = {}): RequestInit {
    const operation = written.get(name);
    if (operation === undefined) return { headers };
    const { example, isList } = world.fitted(operation);
    const body = JSON.stringify(isList ? [example] : example);
    return { body, headers: { ...headers, "content-type": "application/json" } };
  }

  async function ask(sender: Sender, method: string, target: string, init: RequestInit): Promise<Answer> {
    const answer = await answerOf(await world.send(sender, method, target, init));
    if (!(await world.isUnchanged())) await world.makeAgain();
    return answer;
  }
});

const unknownUuid = "00000000-0000-4000-8000-999999999999";
const manyItems = JSON.stringify(Array.from({ length: 26 }, () => ({ id: 1 })));
const spoiltBodies = ["{}", "[]", "[{}]", '"x"', "null", '{"', manyItems];
