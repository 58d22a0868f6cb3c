import packageJson from "../../../package.json" with { type: "json" };
import { integer } from "../../value-kinds.ts";
import { defineCommand } from "../command-line.ts";
import { withContext } from "../open.ts";
import { readStoreAddress } from "./places.ts";
import { TransferProgress, bytesText, count } from "./transfer-progress.ts";

export const backup = defineCommand({
  name: "backup",
  summary: "Add a backup of everything to a folder or a bucket, while Quire runs.",
  arguments: {
    placeholder: "<location>",
    help: "A folder, or s3://bucket/folder. It can hold any number of backups.",
    min: 1,
    max: 1,
  },
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    keep: {
      kind: integer(1),
      placeholder: "N",
      help: "Afterwards, remove all backups but the newest N, and the files that only they need. Without it, all backups are kept.",
    },
  },
  async run({ config, options, arguments: words, signal, stdout, stderr }) {
    const [{ backUp, filesUsedBy }, { BackupPlace }, { openFilesAt }] = await Promise.all([
      import("../../backup/back-up.ts"),
      import("../../backup/backup-place.ts"),
      import("../../files/open-files.ts"),
    ]);
    const progress = new TransferProgress(stderr);
    return withContext(config, stderr, async (context) => {
      const place = new BackupPlace(await openFilesAt(config, readStoreAddress(words[0] ?? "")));
      try {
        const quire = packageJson.version;
        const { name, manifest, newFiles, newBytes, faults } = await backUp(context, place, {
          quire,
          signal,
          progress,
        });
        progress.finish();
        for (const fault of faults) stderr.write(`${fault}\n`);
        const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
        const { rows: files, bytes } = manifest.files;
        stdout.write(
          `Backup ${name}: ${count(rows, "row")}, ${count(files, "file")} (${bytesText(bytes)}). ` +
            `New: ${count(newFiles, "file")}, ${bytesText(newBytes)} in all.\n`,
        );
        if (manifest.secret === null)
          stdout.write("The secret is a setting (QUIRE_SECRET): keep it yourself.\n");
        if (options.keep !== null) {
          const removed = await place.keepOnly(options.keep, (kept) => filesUsedBy(place, kept));
          if (removed.length > 0) stdout.write(`Removed: ${removed.join(", ")}.\n`);
        }
        return faults.length === 0 ? 0 : 1;
      } finally {
        progress.finish();
        await place.close();
      }
    });
  },
});
