import { describe, expect, it } from "vitest";
import { recordOf } from "../../testing/records.ts";
import {
  type EditedRecord,
  audienceInWords,
  changesOf,
  documentDraft,
  faultsOf,
  inWords,
  valuesOf,
} from "./document-draft.ts";

const record: EditedRecord = {
  ...recordOf({}),
  title: "Minutes",
  language: "eng",
  access: "private",
  status: "success",
  publish_at: "2030-01-31T12:00:00.000000Z",
  data: { city: ["A", "B"], _tag: ["harbour"] },
  organization: { name: "The Bugle" },
  projects: [],
};
const draft = valuesOf(record);

describe("a draft of a document", () => {
  it("has the values of the document, and nothing to send at first", () => {
    expect(draft.tags).toEqual(["harbour"]);
    expect(draft.data).toEqual([
      { key: "city", value: "A" },
      { key: "city", value: "B" },
    ]);
    expect(changesOf(draft, valuesOf(record))).toEqual({});
  });

  it("sends only what differs, and data as a whole", () => {
    const changed = { ...draft, title: "Council minutes", tags: ["harbour", " quay ", ""], publish_at: "" };
    expect(changesOf(draft, changed)).toEqual({
      title: "Council minutes",
      publish_at: null,
      data: { city: ["A", "B"], _tag: ["harbour", "quay"] },
    });
    const moved = { ...draft, publish_at: "2031-02-01T10:30" };
    expect(changesOf(draft, moved)).toEqual({ publish_at: new Date("2031-02-01T10:30").toISOString() });
    expect(
      changesOf(draft, valuesOf({ ...record, publish_at: changesOf(draft, moved).publish_at ?? null })),
    ).toEqual(changesOf(draft, moved));
  });

  it("shows what somebody else has entered as a text", () => {
    expect(inWords({ ...draft, title: "Their title" }, "title")).toBe("Their title");
    expect(inWords(draft, "data")).toBe("city: A, city: B");
  });

  it("has the limits of the API", () => {
    const form = documentDraft({ values: draft, etag: null });
    expect(form.field("title").maxLength).toBe(1000);
  });

  it("has faults that need no server", () => {
    expect(faultsOf(draft).size).toBe(0);
    const wrong = { ...draft, title: " ", data: [{ key: "a b", value: "1" }] };
    expect([...faultsOf(wrong).keys()]).toEqual(["title", "data"]);
    expect(faultsOf({ ...draft, data: [{ key: "", value: "" }] }).size).toBe(0);
    const late = { ...draft, publish_at: "2029-12-31T12:00" };
    const now = new Date("2030-01-01T12:00:00Z");
    expect([...faultsOf(late, { base: draft, now }).keys()]).toEqual(["publish_at"]);
    // It was planned before, and may be waiting for the document to be ready.
    expect(faultsOf(late, { base: late, now }).size).toBe(0);
  });
});

const words = (access: string, publish_at = "", more: Partial<EditedRecord> = {}): string =>
  audienceInWords({ access, publish_at }, { ...record, ...more });

describe("the sentence about who will see a document", () => {
  it("names them", () => {
    expect(words("public")).toBe("Everyone will see it, without signing in.");
    expect(words("public", "", { status: "pending" })).toBe(
      "Everyone will see it, without signing in, as soon as it is ready.",
    );
    expect(words("organization")).toBe(
      "All members of The Bugle and the people of projects that it is shared with will see it.",
    );
    expect(words("private", "", { projects: [{ title: "Harbour" }] })).toBe(
      "Only its owner and the people of projects that it is shared with (Harbour) will see it.",
    );
    // The moment names the time zone of the machine.
    expect(words("private", "2030-01-31T12:00").replace(/12:00 [^,]+/, "12:00")).toBe(
      "Until 31 January 2030, 12:00, only its owner and the people of projects that it is shared with will see it. " +
        "From then on, everyone will see it, without signing in.",
    );
  });
});
