import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../context.ts";

/** The folders of an add-on that is registered, and of the one that examples register. */
export async function addAddonFolders({ config }: Pick<Context, "config">): Promise<void> {
  for (const name of ["addon", "name"]) {
    const folder = path.join(config.data, "addons", "owner", name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "config.yaml"), "title: An add-on\n");
  }
}
