import { mkdir } from "node:fs/promises";
import packageJson from "../../../package.json" with { type: "json" };
import type { Repository } from "../../backup/repository.ts";
import type { Difference } from "../../backup/verify.ts";
import type { Manifest } from "../../backup/repository-format.ts";
import type { Config } from "../../config.ts";
import { anyText } from "../../value-kinds.ts";
import { type CommandContext, defineCommand } from "../command-line.ts";
import { withContext } from "../open.ts";
import { withRepository } from "./open-repository.ts";
import { TransferProgress, bytesText, count } from "./transfer-progress.ts";

export const restore = defineCommand({
  name: "restore",
  summary: "Restore a backup into an empty Quire, or check and repair a backup.",
  arguments: {
    placeholder: "<repository>",
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
    "files-only": {
      flag: true,
      help: "Restore the files alone, beside a database that was restored by its own tools.",
    },
    repair: {
      flag: true,
      help: "With --verify: store what is missing or damaged again, from the service that the settings name.",
    },
    "key-file": { setting: "backupKeyFile", placeholder: "FILE" },
  },
  check: ({ options }) => [
    ...(options.repair && !options.verify ? ["--repair: only with --verify"] : []),
    ...(options["files-only"] && options.verify ? ["--files-only: not with --verify"] : []),
  ],
  async run({ config, options, arguments: [address = ""], signal, stdout, stderr }) {
    const { findBackup } = await import("../../backup/restore.ts");
    const streams = { config, signal, stdout, stderr };
    return withRepository(config, address, (repository) =>
      withLock(repository, { isWriting: options.repair, stderr }, async (lockSignal) => {
        const found = { repository, ...(await findBackup(repository, options.backup)) };
        const work = { ...streams, signal: AbortSignal.any([signal, lockSignal]) };
        return options.verify
          ? verifyBackup(found, options.repair, work)
          : restoreBackup(found, options["files-only"], work);
      }),
    );
  },
});

type Streams = Pick<CommandContext, "config" | "signal" | "stdout" | "stderr">;

interface FoundBackup {
  repository: Repository;
  name: string;
  manifest: Manifest;
}

/** Runs `work` while nothing is removed from the repository. A repository that can only be read is not locked. */
async function withLock<T>(
  { store }: Repository,
  { isWriting, stderr }: { isWriting: boolean; stderr: Streams["stderr"] },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { RepositoryLock } = await import("../../backup/locks.ts");
  const command = isWriting ? "quire restore --verify --repair" : "quire restore";
  const acquiring = RepositoryLock.acquire(store, { kind: isWriting ? "write" : "read", command });
  const lock = isWriting ? await acquiring : await acquiring.catch(() => null);
  if (lock === null) {
    stderr.write("The repository cannot be written to, so that it is read without a lock.\n");
    return work(new AbortController().signal);
  }
  await using held = lock;
  return await work(held.signal);
}

async function verifyBackup(
  found: FoundBackup,
  isRepairing: boolean,
  { config, signal, stdout, stderr }: Streams,
): Promise<number> {
  const { repository, name, manifest } = found;
  let differences = await findDifferences(found, { signal, stderr });
  for (const { text } of differences) stdout.write(`${text}\n`);
  if (differences.length === 0) {
    stdout.write(`Backup ${name} is whole: ${contentsOf(manifest)}.\n`);
    return 0;
  }
  stdout.write(`Backup ${name}: ${count(differences.length, "difference")}.\n`);
  if (!isRepairing) {
    await noteDamage(repository, [...objectsIn(differences)]);
    return 1;
  }
  const repaired = new Set<string>();
  for (let before = -1; differences.length > 0 && repaired.size > before;) {
    before = repaired.size;
    const damaged = objectsIn(differences);
    const left = await repairBackup(found, damaged, { config, signal, stderr });
    for (const key of damaged) if (!left.includes(key)) repaired.add(key);
    // With a repaired list of files, more damage may come to light.
    differences = await findDifferences(found, { signal, stderr });
  }
  for (const { text } of differences)
    stdout.write(`Not repaired, because the service no longer has its content: ${text}\n`);
  stdout.write(`Repaired: ${count(repaired.size, "object")}.\n`);
  return differences.length === 0 ? 0 : 1;
}

async function findDifferences(
  { repository, manifest }: FoundBackup,
  { signal, stderr }: Pick<Streams, "signal" | "stderr">,
): Promise<Difference[]> {
  const { verify } = await import("../../backup/verify.ts");
  const progress = new TransferProgress(stderr);
  try {
    return await Array.fromAsync(verify(repository, manifest, { signal, progress }));
  } finally {
    progress.finish();
  }
}

function objectsIn(differences: readonly Difference[]): Set<string> {
  return new Set(differences.flatMap(({ object }) => (object === null ? [] : [object])));
}

/** Notes damage for the next backup, which repairs it. */
async function noteDamage(repository: Repository, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { noteDamage: note } = await import("../../backup/read-back.ts");
  // The repository may be one that can only be read.
  await note(repository, keys).catch(() => undefined);
}

async function repairBackup(
  { repository, manifest }: FoundBackup,
  damaged: ReadonlySet<string>,
  { config, signal, stderr }: Pick<Streams, "config" | "signal" | "stderr">,
): Promise<string[]> {
  const { repair } = await import("../../backup/repair.ts");
  const progress = new TransferProgress(stderr);
  const isFilesOnly = manifest.isFilesOnly === true;
  const options = { quire: packageJson.version, isFilesOnly, signal, progress };
  try {
    return await withContext(config, stderr, (context) =>
      repair(context, repository, manifest, damaged, options),
    );
  } finally {
    progress.finish();
  }
}

async function restoreBackup(
  { repository, name, manifest }: FoundBackup,
  isFilesOnly: boolean,
  { config, signal, stdout, stderr }: Streams,
): Promise<number> {
  const [{ restore: run, restoreFiles }, { openFiles }] = await Promise.all([
    import("../../backup/restore.ts"),
    import("../../files/open-files.ts"),
  ]);
  const progress = new TransferProgress(stderr);
  await mkdir(config.data, { recursive: true });
  const store = await openFiles(config);
  let faults = 0;
  const onFault = (fault: string): void => {
    faults += 1;
    progress.finish();
    stdout.write(`${fault}\n`);
  };
  try {
    const { data, databaseUrl, databaseDirectUrl, databaseConnectLimitSeconds: connectSeconds } = config;
    const to = {
      database: { dataFolder: data, databaseUrl, databaseDirectUrl, connectSeconds },
      files: store,
      secretFolder: config.secrets === null ? data : null,
    };
    const work = { signal, progress, onFault };
    if (isFilesOnly) await restoreFiles(repository, manifest, store, work);
    else await run(repository, { name, manifest }, to, work);
  } finally {
    progress.finish();
    await store.close();
  }
  stdout.write(
    faults === 0
      ? `Restored ${isFilesOnly ? "the files of " : ""}backup ${name}: ${contentsOf(manifest)}.\n`
      : `Restored what is whole of backup ${name} (${contentsOf(manifest)}): ` +
          `${count(faults, "fault")}, listed above.\n`,
  );
  stdout.write(settingsText(manifest, config));
  return faults === 0 ? 0 : 1;
}

function contentsOf({ tables, files }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return `${count(rows, "row")}, ${count(files.rows, "file")} (${bytesText(files.bytes)})`;
}

/** What the restored service needs in addition to the backup. */
function settingsText({ settings = [], secret }: Manifest, { secrets }: Config): string {
  const lines: string[] = [];
  if (secret === null && secrets === null) {
    lines.push(
      "The secret was a setting: set the same QUIRE_SECRET before you start Quire, or everybody has to sign in again.",
    );
  }
  if (settings.length > 0)
    lines.push(`The service that was backed up had these settings: ${settings.join(", ")}.`);
  return lines.map((line) => `${line}\n`).join("");
}
