import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { samplesFor } from "../src/http/schema/quick-start.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { useApp } from "../src/testing/test-app.ts";
import { useFolder } from "../src/testing/use-folder.ts";
import { useWorker } from "../src/testing/use-worker.ts";

const run = promisify(execFile);
const password = "correct horse battery";

describe("the quick start of the API", () => {
  const app = useApp("sqlite");
  const worker = useWorker(app);
  app.person("ada", { password, organizations: [1] });
  const folder = useFolder("quick-start");
  beforeAll(async () => {
    await addDocuments(app.context, [{ title: "An older report", access: "public", status: "success" }]);
    await writeFile(
      path.join(folder, "report.pdf"),
      buildPdf({ pages: [{ width: 200, height: 100, lines: ["A page"] }] }),
    );
  });

  it.each(samplesFor("API").map(({ language }, index) => [language, index] as const))(
    "runs as it stands, with %s",
    async (_language, index) => {
      const sample = samplesFor(`${app.url}/api/`)[index];
      if (sample === undefined) throw new Error("There is no such sample");
      const page = await (await app.fetch("/api/schema/docs/")).text();
      expect(page).toContain(`<code>${sample.command[1]}</code>`);
      const [program, name] = sample.command;
      await writeFile(path.join(folder, name), sample.code);
      const before = await reports();
      const { stdout } = await run(program === "node" ? process.execPath : program, [name], {
        cwd: folder,
        env: { ...process.env, QUIRE_NAME: "ada", QUIRE_PASSWORD: password },
      });
      expect(stdout).toContain("An older report");
      await worker.drain();
      expect(await reports()).toBe(before + 1);
    },
  );

  it("is followed by answers that name what had no effect", async () => {
    const warningOf = async (target: string): Promise<string | null> =>
      (await app.fetch(target)).headers.get("warning");
    expect(await warningOf("/api/projects/?zzz=1&per_page=zzz&title=x")).toBe(
      '299 - "Unknown parameters: zzz; per_page is not a number"',
    );
    expect(await warningOf("/api/projects/?per_page=5&cursor=")).toBeNull();
    expect(await warningOf("/api/documents/?zzz=1&ordering=nope")).toBeNull();
    const { access } = (await (
      await app.fetch("/api/token/", {
        method: "POST",
        body: new URLSearchParams({ username: "ada", password }),
      })
    ).json()) as { access: string };
    const body = new FormData();
    body.append("title", "A report");
    body.append("upload", new Blob(["%PDF-"]), "report.pdf");
    const headers = { authorization: `Bearer ${access}` };
    const refused = await app.fetch("/api/documents/", { method: "POST", body, headers });
    expect([refused.status, await refused.json()]).toEqual([400, { upload: ["The file goes in `file`."] }]);
  });

  const reports = async (): Promise<number> => {
    const query = app.context.database.reader.selectFrom("documents").select("id");
    return (await query.where("title", "=", "A report").where("status", "=", "success").execute()).length;
  };
});
