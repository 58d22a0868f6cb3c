import { readFile } from "node:fs/promises";
import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };

const root = path.join(import.meta.dirname, "../..");

/** The version, its commit, and the newest schema that it knows: what a report of a fault needs. */
export async function versionText(): Promise<string> {
  const { migrationNames } = await import("../database/migrate.ts");
  const commit = builtFrom() ?? (await commitOfClone(path.join(root, ".git")));
  const facts = [
    ...(commit === null ? [] : [`commit ${commit.slice(0, 10)}`]),
    `schema ${migrationNames.at(-1)}`,
  ];
  return `${packageJson.version} (${facts.join(", ")})`;
}

/** packaging/npm.ts writes it into the package. */
function builtFrom(): string | null {
  return (packageJson.config as { commit?: string }).commit ?? null;
}

/** Null if it cannot be told without git, as in a worktree. */
export async function commitOfClone(gitFolder: string): Promise<string | null> {
  const read = (name: string): Promise<string> =>
    readFile(path.join(gitFolder, name), "utf8").catch(() => "");
  const head = (await read("HEAD")).trim();
  const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
  const loose = ref === undefined ? head : (await read(ref)).trim();
  const packed = (await read("packed-refs")).split("\n").find((line) => line.endsWith(` ${ref}`));
  const commit = loose === "" ? (packed ?? "").split(" ")[0] : loose;
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
}
