import packageJson from "../../package.json" with { type: "json" };
import type { CommandContext } from "./command-line.ts";
import { withContext } from "./open.ts";
import { ownAddresses, passwordLinkLines } from "./own-addresses.ts";

type Streams = Pick<CommandContext, "config" | "signal" | "stdout" | "stderr">;

/** `quire export --archive`. Resolves to the exit code. */
export async function exportArchiveTo(
  folder: string,
  {
    user: username,
    project,
    public: isPublic,
  }: { user: string | null; project: number | null; public: boolean },
  { config, signal, stdout, stderr }: Streams,
): Promise<number> {
  const [{ exportArchive }, { findUser }, { Progress }] = await Promise.all([
    import("../archive/export-archive.ts"),
    import("../import/owner.ts"),
    import("./progress.ts"),
  ]);
  const progress = new Progress(stderr, { unit: "documents" });
  return withContext(config, stderr, async (context) => {
    try {
      const owner = username === null ? null : await findUser(context.database.reader, username);
      if (username !== null && owner === null) throw new Error(`There is no user ${username}`);
      const outcome = await exportArchive(context, {
        folder,
        selection: { user: owner?.id ?? null, project, isPublic },
        baseUrls: ownAddresses(config),
        agent: `Quire ${packageJson.version}`,
        signal,
        progress: (done, total) => progress.update(done, "", { total }),
      });
      progress.finish();
      for (const fault of outcome.faults) stderr.write(`${fault}\n`);
      const { documents, files, bytes } = outcome;
      stdout.write(
        `${counted(documents, "document")} in ${counted(files, "file")} of ${counted(bytes, "byte")}.\n`,
      );
      const leftOut = outcome.leftOut.text();
      if (leftOut !== null) stdout.write(`${leftOut}\n`);
      return outcome.faults.length === 0 ? 0 : 1;
    } finally {
      progress.finish();
    }
  });
}

/** `quire import --archive`. Resolves to the exit code. */
export async function importArchiveAt(
  folder: string,
  { config, signal, stdout, stderr }: Streams,
): Promise<number> {
  const [{ Archive }, { importArchive }, { ImportReport }, { Progress }] = await Promise.all([
    import("../archive/archive.ts"),
    import("../archive/import-archive.ts"),
    import("../import/report.ts"),
    import("./progress.ts"),
  ]);
  const archive = await Archive.open(folder);
  return withContext(config, stderr, async (context) => {
    const checking = new Progress(stderr, { unit: "files compared", total: archive.bag.files ?? undefined });
    const progress = new Progress(stderr, { unit: "documents" });
    const report = new ImportReport(progress);
    let isBegun = false;
    try {
      await importArchive(context, archive, {
        signal,
        report,
        onVerified: (files) => checking.update(files),
        onAccounts(accounts) {
          isBegun = true;
          checking.finish();
          for (const { username, token } of accounts)
            stdout.write(passwordLinkLines(config, username, token));
        },
      });
    } finally {
      checking.finish();
      if (isBegun) progress.finish(signal.aborted ? `StoppedError: ${report.summary()}` : report.summary());
    }
    return report.failed > 0 ? 1 : 0;
  });
}

const whole = new Intl.NumberFormat("en");

const counted = (value: number, unit: string): string =>
  `${whole.format(value)} ${value === 1 ? unit : `${unit}s`}`;
