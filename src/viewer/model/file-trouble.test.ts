import { beforeEach, describe, expect, it } from "vitest";
import { FakeNetwork, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import { FileTrouble } from "./file-trouble.ts";
import { Client } from "./send.ts";

let errors: { id: number; message: string }[];
let onProcess: () => PageResponse;
let network: FakeNetwork;
let trouble: FileTrouble;

function respond({ method }: PageRequest): PageResponse {
  return method === "POST" ? onProcess() : { body: { results: errors, next: null } };
}

beforeEach(() => {
  errors = [];
  onProcess = () => ({ body: '"OK"' });
  network = new FakeNetwork(respond);
  trouble = new FileTrouble(new Client("/api/", "token", network), 7);
});

describe("a file that could not be read", () => {
  it.each([
    ["encrypted: it opens with a password only", true, "This PDF needs a password."],
    ["encrypted: it opens with a password only, and the one given is wrong", true, "This password is wrong."],
    ["broken: it has no pages", false, "The file cannot be read: it has no pages. Save it again"],
    ["Processing was cancelled", false, "The file could not be read: Processing was cancelled"],
  ])("says why in a sentence: %s", async (message, isLocked, sentence) => {
    errors = [
      { id: 9, message },
      { id: 3, message: "an earlier reason" },
    ];
    await trouble.load();
    expect([trouble.isLocked.value, trouble.sentence.value]).toEqual([
      isLocked,
      expect.stringContaining(sentence),
    ]);
  });

  it("says that there is no reason", async () => {
    await trouble.load();
    expect(trouble.sentence.value).toBe("No reason was given.");
  });

  it("is read again, with its password", async () => {
    let accepted = 0;
    await trouble.process({ password: "tide" }, () => (accepted += 1));
    expect(network.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/api/documents/7/process/", { password: "tide" }],
    ]);
    expect([trouble.state.value, accepted]).toEqual(["sent", 1]);
  });

  it("can be tried again after a refusal, which it shows", async () => {
    onProcess = () => ({ status: 400, body: ["Already processing: 7"] });
    await trouble.process({}, () => expect.fail("It was refused."));
    expect([trouble.state.value, trouble.problem.value]).toEqual(["shown", "Already processing: 7"]);
  });
});
