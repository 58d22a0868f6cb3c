import { execFileSync } from "node:child_process";
import path from "node:path";
import { exportTexts, importTexts } from "./exchange.ts";

/*
 * npm run texts -- export FOLDER: writes the texts of every language as flat JSON files, for Weblate and the like.
 * npm run texts -- import FOLDER: reads the translations back into src/texts/.
 */

const root = path.join(import.meta.dirname, "../..");
const catalogues = path.join(root, "src/texts");
const [action, folder, ...others] = process.argv.slice(2);
if ((action !== "export" && action !== "import") || folder === undefined || others.length > 0) {
  process.stderr.write("Usage: npm run texts -- export FOLDER, or npm run texts -- import FOLDER\n");
  process.exit(2);
}
try {
  const files = (action === "export" ? exportTexts : importTexts)(catalogues, path.resolve(folder));
  if (action === "import") {
    execFileSync(path.join(root, "node_modules/.bin/oxfmt"), [catalogues], { cwd: root, stdio: "inherit" });
  }
  process.stdout.write(`${action === "export" ? "Written" : "Read"}: ${files.join(", ")}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
