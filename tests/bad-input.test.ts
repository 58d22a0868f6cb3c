import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortBodyLimit } from "../src/http/request/body.ts";
import {
  anyValue,
  bodiesOf,
  depth,
  exampleMembers,
  hardValues,
  hugeValues,
  namesFor,
  objectOf,
  oddNames,
  valuesForDatabases,
} from "../src/testing/bodies.ts";
import { Published, type WrittenOperation } from "../src/testing/published.ts";
import { isRefusal } from "../src/testing/refusals.ts";
import { RequestWorld, type Sender, senders } from "../src/testing/request-world.ts";
import { isInFull, runs, runsOn, selectionOn, shareOf } from "../src/testing/runs.ts";
import { defaultEngines, engines } from "../src/testing/test-app.ts";
import { anyText } from "../src/testing/texts.ts";

/*
 * Every operation of the published document that takes JSON gets bodies made from its schema, from senders with every
 * right and with none. Each is refused with a reason and changes nothing, or is accepted. An operation that is new in
 * the document is tested here without being named.
 */

const published = await Published.read();
const operations = published.written();

/** The operations whose example nobody may send, with the reason. */
const neverAccepted: Readonly<Record<string, string>> = {
  "POST /api/documents/{id}/modifications/post_process/": "only for workers of DocumentCloud: always 403",
};

/** The maximum length of a body. A record's body may contain the texts of pages. A spreadsheet has many rows. */
const limitBytes = ({ path }: WrittenOperation): number =>
  ({ "/api/documents/{id}/": 8, "/api/documents/spreadsheet/": 16 }[path] ?? 1) * 1024 * 1024;

/** The sender who may do most, and every fourth time another one. */
function senderOf(operation: WrittenOperation, index: number): Sender {
  const able = RequestWorld.senderFor(operation);
  const others = senders.filter((sender) => sender !== able);
  return index % 4 === 3 ? (others[((index - 3) / 4) % others.length] as Sender) : able;
}

describe.each(engines)("bad input on %s", (engine) => {
  let world: RequestWorld;
  beforeAll(async () => {
    world = await RequestWorld.open(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("comes to the operations of the published document", () => {
    const names = new Set(operations.map(({ name }) => name));
    expect(names.size).toBeGreaterThan(60);
    expect(Object.keys(neverAccepted).filter((name) => !names.has(name))).toEqual([]);
  });

  describe.each(operations)("to $name", (operation) => {
    const { method, isList, shape } = operation;
    const target = RequestWorld.targetOf(operation);
    /** Different for each operation, so that they share the values among them. */
    const turn = operations.indexOf(operation);
    const names = namesFor(operation);
    const inList = (items: readonly string[]): string => (isList ? `[${items.join()}]` : (items[0] ?? "{}"));
    /** A valid object with one more member, which replaces an earlier one of the same name. */
    const withMember = (name: string, value: string, isWhole: boolean): string =>
      objectOf([...exampleMembers(world.fitted(operation), { isWhole }), [name, value]]);
    const sendText = (sender: Sender, body: string): Promise<string> =>
      world.judgeJson(sender, operation, body);

    it("is refused with a reason or accepted, and the published example is accepted", async () => {
      const { example } = world.fitted(operation);
      const body = JSON.stringify(isList ? [example] : example);
      const headers = { "content-type": "application/json" };
      const sender = RequestWorld.senderFor(operation);
      const answer = await world.send(sender, method, target, { body, headers });
      const isAccepted = answer.status < 300 || operation.name in neverAccepted;
      expect([answer.status, await answer.text(), isAccepted]).toEqual([
        answer.status,
        expect.anything(),
        true,
      ]);
      await world.makeAgain();
    });

    it("as any member is refused with a reason or accepted", async () => {
      const members = membersFor(operation, turn).flatMap((name, at) => {
        const hard = hardValues.filter((_, index) => (index + name.length) % 12 === 0);
        const values =
          engine === "sqlite"
            ? shareOf(hard, 3, turn)
            : // PostgreSQL refuses some values that SQLite stores.
              shareOf(valuesForDatabases, valuesForDatabases.length, turn + at);
        return values.map((value) => [name, value] as const);
      });
      for (const [index, [name, value]] of members.entries()) {
        const sender = senderOf(operation, index);
        const item = withMember(name, value, (index + turn) % 2 === 0);
        const verdict = await sendText(sender, inList([item]));
        expect([sender, name, value, verdict]).toEqual([sender, name, value, "fine"]);
      }
    });

    it("as any members, even repeated ones, is refused with a reason or accepted", async () => {
      const some = fc.array(fc.tuple(fc.constantFrom(...names), anyValue), { minLength: 1, maxLength: 4 });
      const item = fc.oneof(
        { arbitrary: bodiesOf(published, shape), weight: 6 },
        {
          arbitrary: some.map((members) =>
            objectOf([...exampleMembers(world.fitted(operation), { isWhole: true }), ...members]),
          ),
          weight: 5,
        },
        { arbitrary: anyValue, weight: 1 },
      );
      const body = fc.array(item, { minLength: 1, maxLength: isList ? 3 : 1 }).map(inList);
      let index = 0;
      await fc.assert(
        fc.asyncProperty(body, async (text) => {
          const sender = senderOf(operation, index++);
          expect([sender, await sendText(sender, text)]).toEqual([sender, "fine"]);
        }),
        // Each operation has one on PostgreSQL: there are more than sixty.
        { numRuns: isInFull(engine) ? runs(10) : 1 },
      );
    });

    it("is refused with a reason if it is huge or deeply nested", async () => {
      const [first = ""] = Object.keys(shape.properties ?? {}).slice(-1);
      for (const [index, value] of selectionOn(engine, shareOf([...hugeValues.entries()], 6, turn), 2)) {
        const name = index % 2 === 0 ? first : (names[2] ?? "");
        const sender = senderOf(operation, index);
        expect(await sendText(sender, value)).toBe("fine");
        expect(await sendText(sender, inList([withMember(name, value, true)]))).toBe("fine");
      }
    });
  });

  it("is refused with a reason in a form, whatever its parts are and however often they repeat", async () => {
    const forms = published.operations.flatMap((one) => {
      const form = published.form(one);
      return form === null ? [] : [{ ...one, names: form.names }];
    });
    const value = fc.oneof(
      anyText,
      fc.constantFrom("", "[", "{}", '{"a":["b"]}', "1e400", "null", "\0", "public"),
    );
    for (const operation of forms) {
      const names = [...operation.names, ...oddNames, "csrfmiddlewaretoken", "id", "user"];
      const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(pairs, async (given) => {
          const form = new FormData();
          for (const [name, text] of given) form.append(name, text);
          const sender = RequestWorld.senderFor(operation);
          const target = RequestWorld.targetOf(operation);
          const verdict = await world.judge(sender, operation.method, target, { body: form });
          expect([operation.name, verdict]).toEqual([operation.name, "fine"]);
        }),
        { numRuns: runsOn(engine, 4) },
      );
    }
  });

  it("is too large above one megabyte, or more where it may contain pages or rows, even in chunks and with any type", async () => {
    for (const operation of selectionOn(engine, shareOf(operations, 8, 0))) {
      const { method, path, types } = operation;
      const large = Buffer.alloc(limitBytes(operation) + 1, " ");
      for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
        // A form may bring a file there, which has a limit of its own.
        if (type.startsWith("multipart") && (takesFile(operation) || !types.has("multipart/form-data")))
          continue;
        const headers = { "content-type": type };
        const target = RequestWorld.targetOf(operation);
        const sender = RequestWorld.senderFor(operation);
        const whole = await world.send(sender, method, target, { headers, body: large });
        const refused = [path, 413, { detail: expect.any(String) }];
        expect([path, whole.status, await whole.json()]).toEqual(refused);
        const stream = new Blob([large]).stream();
        const pieces = await world.send(sender, method, target, { headers, body: stream, duplex: "half" });
        expect([path, pieces.status, await pieces.json()]).toEqual(refused);
      }
    }
    expect(await world.isUnchanged()).toBe(true);
  });

  it("has no effect where there is no body", async () => {
    for (const headers of [{}, { "content-type": "application/json" }] as const) {
      const made = await world.send("owner", "POST", "/api/documents/", { headers });
      expect([made.status, await made.json()]).toEqual([400, { title: ["This field is required."] }]);
      const listed = await world.send("owner", "PATCH", "/api/documents/", { headers });
      expect([listed.status, await listed.json()]).toEqual([
        400,
        { non_field_errors: ['Expected a list of items but got type "dict".'] },
      ]);
    }
    expect(await world.isUnchanged()).toBe(true);
  });

  it("is refused with a reason or ignored where no body is taken", async () => {
    const others = published.operations.filter(
      ({ method, path, operation }) =>
        !["GET", "HEAD"].includes(method) && path.startsWith("/api/") && operation.requestBody === undefined,
    );
    for (const [index, operation] of others.entries()) {
      for (const body of shareOf(hardValues, 24, index)) {
        const headers = { "content-type": "application/json" };
        const target = RequestWorld.targetOf(operation);
        for (const sender of [RequestWorld.senderFor(operation), "stranger", "nobody"] as const) {
          const verdict = await world.judge(sender, operation.method, target, { body, headers });
          expect([operation.name, sender, body, verdict]).toEqual([operation.name, sender, body, "fine"]);
        }
      }
    }
  });
});

// Bodies that cannot be read never come to a database.
describe.each(defaultEngines)("an unreadable body on %s", (engine) => {
  let world: RequestWorld;
  beforeAll(async () => {
    world = await RequestWorld.open(engine);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  describe.each(operations)("to $name", (operation) => {
    const { method, isList, shape, types } = operation;
    const target = RequestWorld.targetOf(operation);
    const turn = operations.indexOf(operation);
    const isEmpty = Object.keys(shape.properties ?? {}).length === 0;

    it("is refused in words", async () => {
      for (const { what, type, body, status, detail } of shareOf(brokenBodies, 3, turn)) {
        const headers = type === null ? {} : { "content-type": type };
        const answer = await world.send(RequestWorld.senderFor(operation), method, target, {
          body,
          headers,
        });
        const text = await answer.text();
        const [mediaType = ""] = (type ?? "").split(";");
        const isForm = mediaType.startsWith("multipart/") || mediaType.endsWith("-urlencoded");
        const isTaken = types.has(mediaType);
        // A form with one text is a request like any other.
        const isFormOfPage = mediaType.endsWith("-urlencoded") && (isTaken || isList || isEmpty);
        const isFree = isFormOfPage && answer.status < 500;
        const isWrongType = isForm && !isTaken && answer.status === 415 && unsupported.test(text);
        const isTooLong = body.length > shortBodyLimit && answer.status === 413;
        const isAsItShouldBe = (answer.status === status && detail.test(text)) || isWrongType || isTooLong;
        expect([what, answer.status, text, isFree || (isAsItShouldBe && isRefusal(text))]).toEqual([
          what,
          answer.status,
          text,
          true,
        ]);
        if (answer.status < 300) await world.makeAgain();
        expect(await world.isUnchanged()).toBe(true);
      }
    });

    it("is refused with a reason, or accepted, as any bytes of any type", async () => {
      let index = 0;
      await fc.assert(
        fc.asyncProperty(anyBytes, fc.constantFrom(...contentTypes), async (body, type) => {
          const headers = { "content-type": type };
          const sender = senderOf(operation, index++);
          const verdict = await world.judge(sender, method, target, { body: Buffer.from(body), headers });
          expect([sender, verdict]).toEqual([sender, "fine"]);
        }),
        { numRuns: runsOn(engine, 6) },
      );
    });
  });
});

/** Every member of an operation, and some other names. The operations share the other names among them. */
function membersFor(operation: WrittenOperation, turn: number): string[] {
  const { answered, shape } = operation;
  const own = Object.keys(shape.properties ?? {});
  const others = answered.filter((name) => !own.includes(name));
  return [...own, ...shareOf(others, 8, turn), ...shareOf(oddNames, 4, turn)];
}

function takesFile(operation: WrittenOperation): boolean {
  return (published.form(operation)?.files.length ?? 0) > 0;
}

const contentTypes = [
  "application/json",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/plain",
  "json",
  ";",
  "application/json; charset=utf-16",
];
const piece = fc.constantFrom(
  "--x",
  "--x--",
  "\r\n",
  "\r\n\r\n",
  'Content-Disposition: form-data; name="title"',
  'Content-Disposition: form-data; name="data"; filename="a"',
  "Content-Type: text/plain",
  "{",
  "}",
  "[",
  '"',
  ":",
  "1",
  "\0",
  "é",
);
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(""))),
);

const brokenJson = /^\{"detail":"JSON parse error - [^"]/;
const unsupported = /^\{"detail":"Unsupported media type \\?"/;
const unreadableForm = /^\{"detail":"[^"]+"\}$/;
const json = "application/json";
const brokenBodies: {
  what: string;
  type: string | null;
  body: string | Buffer<ArrayBuffer>;
  status: number;
  detail: RegExp;
}[] = [
  { what: "half an object", type: json, body: '{"title":', status: 400, detail: brokenJson },
  { what: "JSON with a comma too many", type: json, body: '{"title":"x",}', status: 400, detail: brokenJson },
  { what: "JSON in single quotes", type: json, body: "{'title':'x'}", status: 400, detail: brokenJson },
  { what: "NaN", type: json, body: '{"title":NaN}', status: 400, detail: brokenJson },
  { what: "Infinity", type: json, body: '{"title":-Infinity}', status: 400, detail: brokenJson },
  { what: "two values", type: json, body: "{} {}", status: 400, detail: brokenJson },
  { what: "white space", type: json, body: " ", status: 400, detail: brokenJson },
  { what: "a NUL", type: json, body: "\0", status: 400, detail: brokenJson },
  { what: "brackets that never close", type: json, body: "[".repeat(depth), status: 400, detail: brokenJson },
  {
    what: "broken UTF-8",
    type: json,
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    status: 400,
    detail: brokenJson,
  },
  {
    what: "half a character as UTF-8",
    type: json,
    body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    status: 400,
    detail: brokenJson,
  },
  {
    what: "UTF-16",
    type: `${json}; charset=utf-16`,
    body: Buffer.from("{}", "utf16le"),
    status: 400,
    detail: brokenJson,
  },
  { what: "gzip", type: json, body: Buffer.from(gzipSync("{}")), status: 400, detail: brokenJson },
  {
    what: "a form without a boundary",
    type: "multipart/form-data",
    body: "--x\r\n",
    status: 400,
    detail: unreadableForm,
  },
  {
    what: "a form that is not one",
    type: "multipart/form-data; boundary=x",
    body: "title=x",
    status: 400,
    detail: unreadableForm,
  },
  {
    what: "half a form",
    type: "multipart/form-data; boundary=x",
    body: '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
    status: 400,
    detail: unreadableForm,
  },
  { what: "XML", type: "text/xml", body: "<a/>", status: 415, detail: unsupported },
  { what: "plain text", type: "text/plain;charset=UTF-8", body: "{}", status: 415, detail: unsupported },
  { what: "a type that is none", type: "json", body: "{}", status: 415, detail: unsupported },
  { what: "no type", type: "", body: "{}", status: 415, detail: unsupported },
  {
    what: "the form of a page",
    type: "application/x-www-form-urlencoded",
    body: "title=x",
    status: 415,
    detail: unsupported,
  },
];
