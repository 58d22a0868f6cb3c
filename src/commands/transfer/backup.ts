import packageJson from "../../../package.json" with { type: "json" };
import type { BackupOutcome } from "../../backup/back-up.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { reasonOf } from "../../errors.ts";
import { integer } from "../../value-kinds.ts";
import { type ValueOption, defineCommand } from "../command-line.ts";
import { withContext } from "../open.ts";
import { nameOfRepository, withRepository } from "./open-repository.ts";
import { TransferProgress, bytesText, count } from "./transfer-progress.ts";

const keepOption = (help: string): ValueOption<number> => ({ kind: integer(1), placeholder: "N", help });

export const backup = defineCommand({
  name: "backup",
  summary: "Add a backup of everything to a folder or a bucket, while Quire runs.",
  arguments: {
    placeholder: "<repository>",
    help: "A folder, or s3://bucket/folder. It can hold any number of backups.",
    min: 1,
    max: 1,
  },
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    keep: keepOption(
      "Afterwards, remove all backups but the newest N, and the content that only they need. A " +
        "backup stays if any of " +
        "the --keep options keeps it. Without them, all stay.",
    ),
    "keep-daily": keepOption("Keep the newest backup of each of the last N days that have one, in UTC."),
    "keep-weekly": keepOption("The same for weeks, from Monday to Sunday."),
    "keep-monthly": keepOption("The same for months."),
    "keep-yearly": keepOption("The same for years."),
    "files-only": {
      flag: true,
      help: "Leave the database out: PostgreSQL's own tools back it up. Restore with --files-only too.",
    },
    "read-data-subset": {
      kind: integer(0, 100),
      placeholder: "PERCENT",
      help:
        "How much of the content of earlier backups is read back and compared with its hashes, those " +
        "parts first that were read the longest time ago.",
      default: "4",
    },
    "key-file": { setting: "backupKeyFile", placeholder: "FILE" },
  },
  async run({ config, options, arguments: [address = ""], signal, stdout, stderr }) {
    const [{ backUp }, { policyOf }, { LockedError }, { settingsInForce }] = await Promise.all([
      import("../../backup/back-up.ts"),
      import("../../backup/retention.ts"),
      import("../../backup/locks.ts"),
      import("../../resources/administration/system.ts"),
    ]);
    const progress = new TransferProgress(stderr);
    const policy = policyOf({
      last: options.keep,
      daily: options["keep-daily"],
      weekly: options["keep-weekly"],
      monthly: options["keep-monthly"],
      yearly: options["keep-yearly"],
    });
    const changed = settingsInForce(config).filter((setting) => setting.is_changed);
    return withContext(config, stderr, async (context) => {
      try {
        const outcome = await withRepository(config, address, (repository) =>
          backUp(context, repository, {
            quire: packageJson.version,
            isFilesOnly: options["files-only"],
            settings: changed.map(({ variable }) => variable),
            policy,
            readBackPercent: options["read-data-subset"],
            signal,
            progress,
          }),
        );
        progress.finish();
        const problems = problemsOf(outcome);
        for (const line of problems) stderr.write(`${line}\n`);
        stdout.write(reportOf(outcome, config));
        await record(context, address, { goodAt: outcome.manifest.at, problems });
        return problems.length === 0 ? 0 : 1;
      } catch (error) {
        // The run that holds the lock reports its own end.
        if (!(error instanceof LockedError)) await recordFailure(context, address, error);
        throw error;
      } finally {
        progress.finish();
      }
    });
  },
});

/** Sentences about everything that is not as it should be. */
function problemsOf({ faults, pruning }: BackupOutcome): string[] {
  const incomplete = pruning.incomplete.map(({ name, missing, isListLost }) =>
    isListLost
      ? `Backup ${name} is damaged: a list of its files cannot be read`
      : `Backup ${name} is damaged: ${count(missing, "object")} of it ${missing === 1 ? "is" : "are"} ` +
        `missing or damaged, and the service no longer has ${missing === 1 ? "it" : "them"}`,
  );
  return [...faults, ...incomplete];
}

function reportOf(
  { name, manifest, newFiles, newBytes, readBack, repaired, pruning }: BackupOutcome,
  { backupKeyFile }: Config,
): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const { rows: files, bytes } = manifest.files;
  const contents =
    manifest.isFilesOnly === true ? `as of ${manifest.at}, without the database` : count(rows, "row");
  const lines = [
    `Backup ${name}: ${contents}, ${count(files, "file")} (${bytesText(bytes)}). ` +
      `New: ${count(newFiles, "file")}, ${bytesText(newBytes)} in all.`,
  ];
  const since =
    readBack.allSince === null
      ? "Not all older ones have been read back yet"
      : `All older ones have been read back since ${readBack.allSince.slice(0, 10)}`;
  lines.push(`Read back: ${count(readBack.read, "object")} of earlier backups. ${since}.`);
  if (repaired > 0) lines.push(`Repaired: ${count(repaired, "damaged object")}.`);
  if (pruning.removed.length > 0) lines.push(`Removed: ${pruning.removed.join(", ")}.`);
  if (pruning.postponed !== null)
    lines.push(`Not everything that is no longer needed was removed: ${pruning.postponed}.`);
  lines.push(...neededBeside(manifest.settings ?? [], backupKeyFile));
  return lines.map((line) => `${line}\n`).join("");
}

/** What a restore needs in addition to the backup. */
function neededBeside(settings: readonly string[], keyFile: string | null): string[] {
  const lines: string[] = [];
  if (settings.includes("QUIRE_SECRET"))
    lines.push("The secret is a setting, and so not in the backup: keep QUIRE_SECRET elsewhere too.");
  if (keyFile !== null)
    lines.push(
      `The backup is encrypted: without the key in ${keyFile}, it cannot be restored. Keep it elsewhere.`,
    );
  return lines;
}

async function record(
  { database }: Context,
  address: string,
  { goodAt, problems }: { goodAt: string | null; problems: readonly string[] },
): Promise<void> {
  const { recordBackupRun } = await import("../../resources/administration/backup-run-store.ts");
  const [first = null, ...others] = problems;
  const problem = first === null || others.length === 0 ? first : `${first} (and ${others.length} more)`;
  const repository = nameOfRepository(address);
  await database.write((writer) => recordBackupRun(writer, { repository, goodAt, problem }));
}

/** The failure itself is reported by the caller, also if the database cannot be written to. */
async function recordFailure(context: Context, address: string, error: unknown): Promise<void> {
  try {
    await record(context, address, { goodAt: null, problems: [reasonOf(error)] });
  } catch {
    // It may be the reason for the failure.
  }
}
