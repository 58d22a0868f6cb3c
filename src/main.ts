import { exportDocuments } from "./commands/export.ts";
import { importDocuments } from "./commands/import.ts";
import { run } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import packageJson from "../package.json" with { type: "json" };

process.exitCode = await run([serve, importDocuments, exportDocuments], {
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
