import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BorrowedFile } from "../../../files/file-store.ts";
import type { PdfPages, PdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { OpenPdfs } from "./open-pdfs.ts";

describe("open PDFs", () => {
  let opened: string[];
  let closed: string[];
  let lent: number;
  let logged: unknown[];
  let pdfs: OpenPdfs;
  beforeEach(() => {
    opened = [];
    closed = [];
    lent = 0;
    logged = [];
    const reader: Pick<PdfReader, "openPages"> = {
      async openPages(path) {
        opened.push(path);
        if (path === "broken.pdf") throw new UnreadableFileError("broken", "It is broken");
        const document = { close: async () => void closed.push(path) };
        return document as unknown as PdfPages;
      },
    };
    pdfs = new OpenPdfs(reader, { error: (fault: unknown) => void logged.push(fault) });
  });
  afterEach(() => pdfs.close());

  const borrow = (path: string, version: string) => async (): Promise<BorrowedFile> => {
    lent += 1;
    let isLent = true;
    const giveBack = async (): Promise<void> => {
      if (isLent) lent -= 1;
      isLent = false;
    };
    return { path, version, [Symbol.asyncDispose]: giveBack };
  };

  const read = (path: string, version: string): Promise<string | null> =>
    pdfs.read(borrow(path, version), async () => "read");

  it("are opened once for many readings, and borrowed as long as they are open", async () => {
    for (let time = 0; time < 3; time++) expect(await read("a.pdf", "1")).toBe("read");
    await Promise.all([read("a.pdf", "1"), read("a.pdf", "1")]);
    expect([opened, lent]).toEqual([["a.pdf"], 1]);
    await pdfs.close();
    expect([closed, lent]).toEqual([["a.pdf"], 0]);
  });

  it("are opened again when the file has been replaced", async () => {
    await read("a.pdf", "1");
    await read("a.pdf", "2");
    await read("a.pdf", "2");
    expect(opened).toEqual(["a.pdf", "a.pdf"]);
  });

  it("are returned when others are opened", async () => {
    for (const path of ["a.pdf", "b.pdf", "c.pdf", "d.pdf"]) await read(path, "1");
    await expect.poll(() => [closed, lent]).toEqual([["a.pdf"], 3]);
  });

  it("are still read, and the failure is logged, if a file cannot be returned", async () => {
    const failure = new Error("the disk does not answer");
    const stuck = (path: string) => async (): Promise<BorrowedFile> => ({
      path,
      version: "1",
      [Symbol.asyncDispose]: () => Promise.reject(failure),
    });
    for (const path of ["a.pdf", "a.pdf", "b.pdf", "c.pdf", "d.pdf"]) {
      expect(await pdfs.read(stuck(path), async () => "read")).toBe("read");
    }
    await expect.poll(() => logged).toEqual([{ err: failure }, { err: failure }]);
    await pdfs.close();
    expect(logged).toHaveLength(5);
  });

  it("give null without a file, and a file that cannot be borrowed or opened blocks nobody", async () => {
    for (let time = 0; time < 5; time++) {
      expect(
        await pdfs.read(
          async () => null,
          async () => "read",
        ),
      ).toBeNull();
      const failing = pdfs.read(
        () => Promise.reject(new Error("not there")),
        async () => "read",
      );
      await expect(failing).rejects.toThrow("not there");
      await expect(read("broken.pdf", "1")).rejects.toThrow("It is broken");
    }
    await expect.poll(() => lent).toBe(0);
    expect(await read("a.pdf", "1")).toBe("read");
  });
});
