import { cacheCompiledModules } from "./compile-cache.ts";

cacheCompiledModules();

// Static imports would be loaded before the cache is there.
const [
  { backup },
  { exportDocuments },
  { importDocuments },
  { keyFile },
  { languagesCommands },
  { migrate },
  { mirror },
  { move },
  { organizationCommands },
  { restore },
  { run },
  { serve },
  { tokenCommands },
  { userCommands },
  { watch },
  { doctor },
  { work },
] = await Promise.all([
  import("./commands/transfer/backup.ts"),
  import("./commands/export.ts"),
  import("./commands/import.ts"),
  import("./commands/transfer/key-file.ts"),
  import("./commands/languages.ts"),
  import("./commands/transfer/migrate.ts"),
  import("./commands/transfer/mirror.ts"),
  import("./commands/transfer/move.ts"),
  import("./commands/organization.ts"),
  import("./commands/transfer/restore.ts"),
  import("./commands/run.ts"),
  import("./commands/serve.ts"),
  import("./commands/token.ts"),
  import("./commands/user.ts"),
  import("./commands/watch.ts"),
  import("./commands/doctor.ts"),
  import("./commands/work.ts"),
]);

const commands = [
  serve,
  importDocuments,
  watch,
  exportDocuments,
  backup,
  restore,
  keyFile,
  move,
  mirror,
  migrate,
  work,
  doctor,
  ...languagesCommands,
  ...userCommands,
  ...organizationCommands,
  ...tokenCommands,
];

process.exitCode = await run(commands, {
  args: process.argv.slice(2),
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  version: async () => (await import("./commands/version.ts")).versionText(),
  nowMilliseconds: () => performance.now(),
  exit: (code) => process.exit(code),
});
