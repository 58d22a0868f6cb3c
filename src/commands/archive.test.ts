import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentFileKey } from "../files/keys.ts";
import { type CommandRun, exampleCommands, runCommandLine } from "../testing/command-runs.ts";
import { addDocuments } from "../testing/factories.ts";
import { addPerson } from "../testing/people.ts";
import { startAppOn, testStorage } from "../testing/test-app.ts";
import { doctor } from "./doctor.ts";
import { exportDocuments } from "./export.ts";
import { importDocuments } from "./import.ts";

const quire = (line: string, environment: Record<string, string>): Promise<CommandRun> =>
  runCommandLine([exportDocuments, importDocuments, doctor], line, environment);

describe("archives, on the command line", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-leaving-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it("all examples of docs/leaving.md work, in their order", async () => {
    await using storage = await testStorage("sqlite");
    await using app = await startAppOn(storage.config);
    const [id = 0] = await addDocuments(app.context, [{ slug: "a" }]);
    await addPerson(app.context, { username: "maria", password: "a lighthouse keeper's lamp" });
    await app.context.files.put(documentFileKey(id, "a", "pdf"), Readable.from([Buffer.from("a file")]));
    const outputs: string[] = [];
    for (const { line, environment, command } of await exampleCommands("leaving.md")) {
      const isElsewhere = environment["QUIRE_DATA"] === "elsewhere";
      const data = isElsewhere ? path.join(folder, "elsewhere") : storage.config.data;
      const substituted = command.replace("/mnt/archives/", `${folder}/`);
      const { code, stdout, stderr } = await quire(substituted, { QUIRE_DATA: data });
      expect({ line, code }).toEqual({ line, code: 0 });
      outputs.push(stdout, stderr);
    }
    expect(outputs.map((output) => output.replace(/token=.*/, "token=…"))).toEqual([
      expect.stringMatching(
        /^1 document in \d+ files of [\d,]+ bytes\.\nLeft out: API tokens \(1\), passwords \(1\)\n$/,
      ),
      "",
      expect.stringMatching(/^1 document in \d+ files of [\d,]+ bytes\.\n$/),
      "",
      "With this link, maria can set a password, once, within a week:\nhttp://127.0.0.1:8000/set-password/?token=…\n",
      "1 document in\n",
    ]);
    const elsewhere = { QUIRE_DATA: path.join(folder, "elsewhere") };
    const found = await quire("doctor --hashes", elsewhere);
    expect(found.stdout).toContain(`document ${id}`);
  });

  it.each([
    ["export --archive a --output b", "--output: not with --archive, which is a folder"],
    ["export --user maria", "--user: only with --archive"],
    ["export --public", "--public: only with --archive"],
    ["import --archive a --user maria", "--user: not with --archive, which has it"],
    ["import --archive a b.pdf", '"b.pdf": one argument too many'],
    ["import", "<source>... is missing"],
  ])("refuse %s", async (line, problem) => {
    const { code, stderr } = await quire(line, { QUIRE_DATA: path.join(folder, "data") });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `quire: ${problem}\nSee quire ${line.split(" ")[0]} --help and quire help settings.\n`,
    });
  });

  it("refuse a user who does not exist, and a folder that is not an archive", async () => {
    const environment = { QUIRE_DATA: path.join(folder, "data") };
    const archive = path.join(folder, "archive");
    expect(await quire(`export --archive ${archive} --user maria`, environment)).toMatchObject({
      code: 1,
      stderr: "quire: There is no user maria\n",
    });
    expect(await quire(`import --archive ${folder}`, environment)).toMatchObject({
      code: 1,
      stderr: `quire: ${folder} is no archive: it has no bagit.txt\n`,
    });
  });
});
