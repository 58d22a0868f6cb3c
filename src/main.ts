import { cacheCompiledModules } from "./serving/compile-cache.ts";
import { backup } from "./commands/transfer/backup.ts";
import { exportDocuments } from "./commands/export.ts";
import { importDocuments } from "./commands/import.ts";
import { migrate } from "./commands/transfer/migrate.ts";
import { mirror } from "./commands/transfer/mirror.ts";
import { move } from "./commands/transfer/move.ts";
import { organizationCommands } from "./commands/organization.ts";
import { restore } from "./commands/transfer/restore.ts";
import { run } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import { tokenCommands } from "./commands/token.ts";
import { userCommands } from "./commands/user.ts";
import { doctor } from "./commands/doctor.ts";
import { work } from "./commands/work.ts";
import packageJson from "../package.json" with { type: "json" };

cacheCompiledModules();

const commands = [
  serve,
  importDocuments,
  exportDocuments,
  backup,
  restore,
  move,
  mirror,
  migrate,
  work,
  doctor,
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
  version: packageJson.version,
  nowMilliseconds: () => performance.now(),
  exit: (code) => process.exit(code),
});
