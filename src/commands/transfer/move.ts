import path from "node:path";
import { defineCommand } from "../command-line.ts";
import { withContext } from "../open.ts";
import { databaseAddress, storeAddress } from "./addresses.ts";
import { TransferProgress, bytesText, count } from "./transfer-progress.ts";

export const move = defineCommand({
  name: "move",
  summary: "Copy everything into another, empty database and store. The original stays as it is.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    to: {
      kind: databaseAddress,
      placeholder: "DATABASE",
      help: "postgres://user:password@host:port/database, or a new data folder for SQLite.",
    },
    files: {
      kind: storeAddress,
      placeholder: "STORE",
      help:
        "s3://bucket/folder, or a new data folder. Without it, files go into the new data folder, or " +
        "stay where they are.",
    },
  },
  async run({ config, options, signal, stdout, stderr }) {
    const { to, files } = options;
    if (to === null) throw new Error("Name the new database with --to");
    const dataFolder = "dataFolder" in to ? to.dataFolder : null;
    const filesFolder = files !== null && "folder" in files ? files.folder : null;
    if (
      dataFolder !== null &&
      filesFolder !== null &&
      path.resolve(dataFolder) !== path.resolve(filesFolder)
    ) {
      throw new Error(
        "Files on a disk are in the data folder: name the same folder twice, or leave out --files",
      );
    }
    const folder = dataFolder ?? filesFolder;
    if (folder !== null && path.resolve(folder) === path.resolve(config.data)) {
      throw new Error(`${folder} is the data folder that is moved: name a new one`);
    }
    const [{ move: run }, { localFolder, openFilesAt }] = await Promise.all([
      import("../../backup/move.ts"),
      import("../../files/open-files.ts"),
    ]);
    const progress = new TransferProgress(stderr);
    const address =
      folder === null || (files !== null && "bucket" in files) ? files : { folder: localFolder(folder) };
    return withContext(config, stderr, async (context) => {
      const store = address === null ? null : await openFilesAt(config, address);
      try {
        const database =
          "databaseUrl" in to
            ? { dataFolder: folder ?? config.data, databaseUrl: to.databaseUrl }
            : { dataFolder: to.dataFolder, databaseUrl: null };
        const outcome = await run(
          context,
          { database, files: store, secretFolder: folder },
          { signal, progress },
        );
        progress.finish();
        for (const fault of outcome.faults) stderr.write(`${fault}\n`);
        const moved =
          outcome.files === null
            ? "The files stay where they are"
            : `${count(outcome.files.count, "file")} (${bytesText(outcome.files.bytes)})`;
        stdout.write(`Moved ${count(outcome.rows, "row")}. ${moved}.\n`);
        if (folder === null) {
          stdout.write(
            `The new Quire needs the same secret: keep ${config.data} as its data folder, or copy secret from it.\n`,
          );
        }
        return outcome.faults.length === 0 ? 0 : 1;
      } finally {
        progress.finish();
        await store?.close();
      }
    });
  },
});
