import { statfs } from "node:fs/promises";
import type { Context } from "../../context.ts";
import { type Config, settings } from "../../config.ts";
import type { Setting } from "../../settings/setting.ts";
import { hasMail } from "../mails/mail-store.ts";
import { type BackupRun, listBackupRuns } from "./backup-run-store.ts";
import { findOldestDue } from "./queue-store.ts";

/** A setting as it is in force. */
export interface SettingInForce {
  variable: string;
  /** As it would be written in the environment; null if it is not set, or secret. */
  value: string | null;
  /** Whether it has a value: its default, or one that was given. */
  is_set: boolean;
  is_secret: boolean;
  /** Whether the value differs from the default. */
  is_changed: boolean;
  /** As it would be written in the environment; null if there is none. */
  default: string | null;
  help: string;
}

/** All settings, in the order of the documentation. The value of a secret one is left out. */
export function settingsInForce(config: Config): SettingInForce[] {
  return Object.entries<Setting>(settings).map(
    ([name, { variable, help, default: preset, secret, kind, otherwise }]) => {
      const value = textOf(config[name as keyof Config]);
      const presetValue = preset === null ? null : textOf(kind.parse(preset) as Config[keyof Config]);
      return {
        variable,
        value: secret === true ? null : value,
        is_set: value !== null,
        is_secret: secret === true,
        is_changed: value !== presetValue,
        default: preset ?? otherwise ?? null,
        help,
      };
    },
  );
}

function textOf(value: Config[keyof Config] | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value !== "object") return String(value);
  return value
    .map((item) =>
      typeof item === "string" ? item : `${item.host}${item.port === null ? "" : `:${item.port}`}`,
    )
    .join(",");
}

export interface HealthFacts {
  engine: "sqlite" | "postgres";
  database: "ok" | "does not answer";
  files: "ok" | "do not answer";
  /** The Node.js that runs Quire. */
  node: string;
  /** The bytes of the disk with the data folder, and how many are free for Quire. */
  disk_bytes: number;
  disk_free_bytes: number;
  /** How long the job waits that has been due for the longest time, in seconds; 0 if none is due. */
  oldest_job_seconds: number;
  processing_workers: number;
  has_mail: boolean;
  /** The latest run of `quire backup` into each repository. */
  backups: BackupRun[];
}

/** Whether it answers at all. */
export function answers(part: { ping(): Promise<void> }): Promise<boolean> {
  return part.ping().then(
    () => true,
    () => false,
  );
}

export async function healthFacts({ config, database, files }: Context): Promise<HealthFacts> {
  const [isDatabaseThere, areFilesThere, disk, oldestDue, backups] = await Promise.all([
    answers(database),
    answers(files),
    statfs(config.data),
    findOldestDue(database),
    listBackupRuns(database),
  ]);
  return {
    engine: database.engine,
    database: isDatabaseThere ? "ok" : "does not answer",
    files: areFilesThere ? "ok" : "do not answer",
    node: process.version,
    disk_bytes: disk.blocks * disk.bsize,
    disk_free_bytes: disk.bavail * disk.bsize,
    oldest_job_seconds:
      oldestDue === null ? 0 : Math.max(0, Math.round((Date.now() - Date.parse(oldestDue)) / 1000)),
    processing_workers: config.processingWorkers,
    has_mail: hasMail(config),
    backups,
  };
}
