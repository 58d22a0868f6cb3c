import { describe, expect, it } from "vitest";
import { RefusedError } from "../model/send.ts";
import { Draft } from "./draft.ts";
import { ConflictError } from "./merge.ts";

const draftOf = () =>
  new Draft(
    { title: "", page: "1" },
    {
      limits: { title: 200 },
      check: ({ title }) => (title === "" ? [["title", "Enter a title."]] : []),
      inWords: (values, field) => `${field} ${values[field]}`,
    },
  );

describe("a draft", () => {
  it("sends nothing while something is wrong, and says it at the field until that changes", async () => {
    const draft = draftOf();
    let sent = 0;
    const send = () => Promise.resolve((sent += 1));
    expect(await draft.submit(send)).toBe(false);
    expect(sent).toBe(0);
    expect(draft.field("title").fault).toBe("Enter a title.");
    draft.set({ page: "2" });
    expect(draft.field("title").fault).toBe("Enter a title.");
    draft.field("title").set("Minutes");
    expect(draft.field("title").fault).toBe("");
    expect(await draft.submit(send)).toBe(true);
    expect(sent).toBe(1);
  });

  it("says the reasons of the server at the fields, and the others below them", async () => {
    const draft = draftOf();
    draft.set({ title: "Minutes" });
    const reasons = new Map([
      ["title", "Too long."],
      ["slug", "Not here."],
    ]);
    const refuse = () => Promise.reject(new RefusedError(400, "Title: Too long. Slug: Not here.", reasons));
    expect(await draft.submit(refuse)).toBe(false);
    expect([draft.field("title").fault, draft.problem.value]).toEqual(["Too long.", "Not here."]);
    await draft.submit(() => Promise.reject(new RefusedError(0, "No answer.")));
    expect([draft.field("title").fault, draft.problem.value]).toEqual(["", "No answer."]);
    expect(draft.isSending.value).toBe(false);
  });

  it("is sent once at a time", async () => {
    const draft = draftOf();
    draft.set({ title: "Minutes" });
    const answer = Promise.withResolvers<void>();
    const first = draft.submit(() => answer.promise);
    expect(await draft.submit(() => Promise.reject(new Error("sent twice")))).toBe(false);
    answer.resolve();
    expect(await first).toBe(true);
  });

  it("keeps what was written when others changed the same, and is then based on theirs", async () => {
    const draft = draftOf();
    draft.set({ title: "Mine" });
    const theirs = { values: { title: "Theirs", page: "7" }, etag: '"2"' };
    await draft.submit(() =>
      Promise.reject(new ConflictError(["title"], theirs, { title: "Mine", page: "7" })),
    );
    expect(draft.values.value).toEqual({ title: "Mine", page: "7" });
    expect(draft.base.value).toBe(theirs);
    expect(draft.field("title").fault).toContain("“title Theirs”");
    expect(draft.problem.value).toContain("Not saved yet");
  });

  it("is left at once if nothing would be lost, and else the second time", () => {
    const draft = draftOf();
    let left = 0;
    const leave = (): void => draft.leave(() => (left += 1));
    leave();
    expect(left).toBe(1);
    draft.set({ title: "Minutes" });
    leave();
    expect([left, draft.isLeaving.value]).toEqual([1, true]);
    // A person who goes on writing is asked again.
    draft.set({ title: "Minutes of June" });
    expect(draft.isLeaving.value).toBe(false);
    leave();
    leave();
    expect(left).toBe(2);
    const event = new Event("cancel", { cancelable: true });
    draft.reset();
    draft.leaveBy(event);
    expect([event.defaultPrevented, draft.values.value.title]).toEqual([false, ""]);
  });

  it("has the limits of its fields", () => {
    expect([draftOf().field("title").maxLength, draftOf().field("page").maxLength]).toEqual([200, undefined]);
  });
});
