import { describe, expect, it } from "vitest";
import { parseMail } from "./read-mail.ts";

/** A mail whose characters are the bytes. */
const read = (...lines: string[]): ReturnType<typeof parseMail> =>
  parseMail(Buffer.from(lines.join("\r\n"), "latin1"));

describe("a mail that does not say in which encoding it is", () => {
  it("has the letters of its headers, in the encoding of its text", async () => {
    const western = await read(
      "From: J\xfcrgen <juergen@example.org>",
      "Subject: Fr\xf6sche",
      "Content-Type: text/plain; charset=iso-8859-1",
      "",
      "Fr\xf6sche",
    );
    expect(western).toMatchObject({ from: { name: "Jürgen" }, subject: "Frösche", text: "Frösche\n" });
    const russian = await read(
      "Subject: \xed\xcf\xd3\xcb\xd7\xc1",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      'Content-Type: text/plain; charset="koi8-r"',
      "",
      "\xed\xcf\xd3\xcb\xd7\xc1",
      "--b--",
    );
    expect(russian).toMatchObject({ subject: "Москва", text: "Москва\n" });
  });

  it("has the letters of its text", async () => {
    expect((await read("Subject: one", "", "Fr\xf6sche")).text).toBe("Frösche\n");
    const marked = ["Content-Type: text/plain", "Content-Transfer-Encoding: 8bit"];
    expect((await read(...marked, "", "Fr\xf6sche")).text).toBe("Frösche\n");
  });

  it("stays as it is in UTF-8", async () => {
    const mail = await read("Subject: Fr\xc3\xb6sche", "", "Fr\xc3\xb6sche");
    expect(mail).toMatchObject({ subject: "Frösche", text: "Frösche\n" });
  });
});
