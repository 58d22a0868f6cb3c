import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { documentFileKey } from "../../files/keys.ts";
import { exampleCommands, runCommandLine } from "../../testing/command-runs.ts";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { addPerson } from "../../testing/people.ts";
import { startTestApp } from "../../testing/test-app.ts";
import { mirror } from "./mirror.ts";

it("all examples of docs/mirroring.md work, in their order", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-examples-"));
  await using there = await startTestApp("sqlite");
  try {
    await addDocuments(there.context, []);
    const jane = await addPerson(there.context, {
      username: "jane",
      organizations: [1],
      password: "a lighthouse keeper's lamp",
    });
    const [listed = 0, secret = 0] = await addDocuments(there.context, [
      { slug: "a" },
      { slug: "a", access: "private", user_id: jane.id },
    ]);
    for (const id of [listed, secret])
      await there.context.files.put(documentFileKey(id, "a", "pdf"), Readable.from([Buffer.from("a file")]));
    const project = await addProject(there.context, {}, [listed]);
    const token = jane.headers.authorization.replace("Bearer ", "");
    const ended: string[] = [];
    for (const { line, command, input } of await exampleCommands("mirroring.md")) {
      const substituted = command
        .replaceAll(/https:\/\/[^/\s]+\/api\//g, `${there.url}/api/`)
        .replace("--project 12", `--project ${project}`)
        .replace("--user 7", `--user ${jane.id}`)
        .replace('"$TOKEN"', token);
      const password = input === "password.txt" ? "a lighthouse keeper's lamp\n" : "";
      const data = { QUIRE_DATA: path.join(folder, "data") };
      const { code, stdout, stderr } = await runCommandLine([mirror], substituted, data, password);
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      ended.push(stderr.trim(), stdout.trim());
    }
    // The account sees its private document too; of the documents of user 7 it has all already.
    expect(ended).toEqual([
      expect.stringMatching(/^1 document in\b/),
      "Fetched 1 file.",
      expect.stringMatching(/^1 document in, 1 brought up to date\b/),
      "Fetched 1 file.",
      expect.stringMatching(/^0 documents in, 1 brought up to date\b/),
      "Fetched 0 files.",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
