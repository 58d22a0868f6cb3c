import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, inject, it } from "vitest";
import { documentFileKey } from "../../files/keys.ts";
import { type CommandRun, exampleCommands, runCommandLine } from "../../testing/command-runs.ts";
import { addDocuments } from "../../testing/factories.ts";
import { createThrowawayDatabase } from "../../testing/postgres.ts";
import { startS3Server } from "../../testing/s3-server.ts";
import { startAppOn, testStorage } from "../../testing/test-app.ts";
import { doctor } from "../doctor.ts";
import { backup } from "./backup.ts";
import { keyFile } from "./key-file.ts";
import { migrate } from "./migrate.ts";
import { move } from "./move.ts";
import { restore } from "./restore.ts";

const quire = (line: string, environment: Record<string, string>): Promise<CommandRun> =>
  runCommandLine([backup, restore, keyFile, move, migrate, doctor], line, environment);

it("all examples of docs/backup.md work, in their order", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-examples-"));
  await using s3 = await startS3Server();
  await using storage = await testStorage("sqlite");
  const database = await createThrowawayDatabase(inject("postgresUrl"));
  try {
    await using app = await startAppOn(storage.config);
    const [id = 0] = await addDocuments(app.context, [{ slug: "a", status: "error" }]);
    await app.context.files.put(documentFileKey(id, "a", "pdf"), Readable.from([Buffer.from("a file")]));

    const bucket = s3.environment["QUIRE_S3_BUCKET"] ?? "";
    const substituted = (value: string): string =>
      value
        .replaceAll("/mnt/backups/quire", path.join(folder, "backups"))
        .replace("/etc/quire/backup.key", path.join(folder, "backup.key"))
        .replace(/s3:\/\/(backups|documents|encrypted)\/quire/, `s3://${bucket}/$1`)
        .replace(/postgres:\/\/\S+/, database.url)
        .replace("./laptop", path.join(folder, "laptop"));
    const keys = {
      QUIRE_BACKUP_S3_ENDPOINT: s3.url,
      QUIRE_BACKUP_S3_ACCESS_KEY_ID: s3.environment["QUIRE_S3_ACCESS_KEY_ID"] ?? "",
      QUIRE_BACKUP_S3_SECRET_ACCESS_KEY: s3.environment["QUIRE_S3_SECRET_ACCESS_KEY"] ?? "",
    };
    const ended: string[] = [];
    for (const { line, environment: given, command } of await exampleCommands("backup.md")) {
      const environment: Record<string, string> = { QUIRE_DATA: storage.config.data, ...keys };
      for (const [name, value] of Object.entries(given)) environment[name] = substituted(value);
      if (environment["QUIRE_DATA"] === "restored") environment["QUIRE_DATA"] = path.join(folder, "restored");
      // The files of the service in PostgreSQL are in the bucket.
      if (environment["QUIRE_DATABASE_URL"] !== undefined) {
        Object.assign(environment, s3.environment, { QUIRE_S3_PREFIX: "documents" });
      }
      // A restore needs an empty destination.
      const isRestore = command.startsWith("restore /") && Object.keys(given).length === 0;
      if (isRestore) environment["QUIRE_DATA"] = path.join(folder, "first");
      const { code, stdout, stderr } = await quire(substituted(command), environment);
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      ended.push(`${command.split(" ")[0]}: ${stdout.trim().replaceAll(/\d{4}-\S+Z/g, "<time>")}`);
    }
    expect(ended).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^backup: Backup <time>: \d+ rows, 1 file \(6 bytes\)\. New: \d files?, .* in all\.\nRead back: \d+ objects? of /,
        ),
        expect.stringMatching(
          /^backup: (?:.*\n)+The backup is encrypted: without the key in .*backup\.key, it cannot/,
        ),
        expect.stringMatching(/^key-file: .*backup\.key has a new key/),
        expect.stringMatching(/^restore: Backup <time> is whole: \d+ rows, 1 file/),
        expect.stringMatching(/^restore: Restored backup <time>: \d+ rows, 1 file/),
        "doctor: Nothing differs.",
        expect.stringMatching(
          /^move: Moved \d+ rows\. 1 file \(6 bytes\)\.\nThe new Quire needs the same secret/,
        ),
        expect.stringMatching(/^move: Moved \d+ rows\. 1 file \(6 bytes\)\.$/),
        expect.stringMatching(/^migrate: The database is up to date/),
      ]),
    );
    const laptop = { QUIRE_DATA: path.join(folder, "laptop") };
    expect(await quire("doctor --hashes", laptop)).toMatchObject({ stdout: "Nothing differs.\n" });
  } finally {
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
