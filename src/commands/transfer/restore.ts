import { anyText } from "../../value-kinds.ts";
import { defineCommand } from "../command-line.ts";
import { readStoreAddress } from "./places.ts";
import { TransferProgress, bytesText, count } from "./transfer-progress.ts";

export const restore = defineCommand({
  name: "restore",
  summary: "Restore a backup into an empty Quire, or check a backup.",
  arguments: {
    placeholder: "<location>",
    help: "The folder of backups, or s3://bucket/folder.",
    min: 1,
    max: 1,
  },
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    backup: { kind: anyText, placeholder: "NAME", help: "The backup. Without it, the newest." },
    verify: {
      flag: true,
      help: "Restore nothing. Read the whole backup, and compare it with its hashes and counts.",
    },
  },
  async run({ config, options, arguments: words, signal, stdout, stderr }) {
    const [{ findBackup, restore: run, verify }, { BackupPlace }, { openFiles, openFilesAt }] =
      await Promise.all([
        import("../../backup/restore.ts"),
        import("../../backup/backup-place.ts"),
        import("../../files/open-files.ts"),
      ]);
    const progress = new TransferProgress(stderr);
    const place = new BackupPlace(await openFilesAt(config, readStoreAddress(words[0] ?? "")));
    try {
      const found = await findBackup(place, options.backup);
      const { name, manifest } = found;
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      const { rows: files, bytes } = manifest.files;
      const contents = `${count(rows, "row")}, ${count(files, "file")} (${bytesText(bytes)})`;
      if (options.verify) {
        let faults = 0;
        for await (const fault of verify(place, manifest, { signal, progress })) {
          faults += 1;
          progress.finish();
          stdout.write(`${fault}\n`);
        }
        progress.finish();
        stdout.write(
          faults === 0
            ? `Backup ${name} is whole: ${contents}.\n`
            : `Backup ${name}: ${count(faults, "difference")}.\n`,
        );
        return faults === 0 ? 0 : 1;
      }
      const store = await openFiles(config);
      try {
        const { data, databaseUrl, databaseConnectLimitSeconds: connectSeconds } = config;
        const to = {
          database: { dataFolder: data, databaseUrl, connectSeconds },
          files: store,
          secretFolder: config.secrets === null ? data : null,
        };
        await run(place, found, to, { signal, progress });
      } finally {
        await store.close();
      }
      progress.finish();
      stdout.write(`Restored backup ${name}: ${contents}.\n`);
      return 0;
    } finally {
      progress.finish();
      await place.close();
    }
  },
});
