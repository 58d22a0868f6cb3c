import { describe, expect, it } from "vitest";
import { parseMail } from "./read-mail.ts";
import { writeMail } from "./write-mail.ts";

describe("a mail of another program that is written as a message of the internet", () => {
  it("keeps an attachment whose name was cut in the middle of a character", async () => {
    const people = { from: null, to: [], cc: [], bcc: [] };
    const head = { headers: "", subject: "Minutes", date: null, messageId: "", inReplyTo: "", ...people };
    const cut = {
      name: `${"x".repeat(250)} \ud83d`,
      contentType: "",
      contentId: "",
      bytes: Buffer.from("Words"),
    };
    const written = writeMail({ ...head, text: "Attached", html: "", attachments: [cut] });
    const { attachments } = await parseMail(written);
    expect(attachments.map(({ filename }) => filename)).toEqual([`${"x".repeat(250)} \ufffd`]);
  });
});
