import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { buildOutlookMessage } from "../../testing/outlook.ts";
import { readMail } from "./read-mail.ts";
import { useFolder } from "../../testing/use-folder.ts";

const folder = useFolder("outlook");

describe("a mail of Outlook from within an organization", () => {
  it.each([
    ["the name of its sender", "Jane Roe", ""],
    ["the address of its sender, if that person wrote the file", "Zoë", "zoe@example.org"],
  ])("has %s", async (_, name, address) => {
    const lastModifier = { name, address: "zoe@example.org" };
    const mail = { subject: "One", body: "", senderName: "Zoë", lastModifier, attachments: [] };
    const file = path.join(folder, `${name}.msg`);
    await writeFile(file, buildOutlookMessage(mail));
    const { from } = await readMail(file, "msg");
    expect(from).toMatchObject({ name: "Zoë", address });
  });
});
