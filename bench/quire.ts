import { readFileSync } from "node:fs";
import { Child, type ChildOptions } from "./child.ts";

interface Package {
  scripts: { start: string; quire: string };
}

/** The `quire` command in a process of its own, with the options that `npm start` or `npm run quire` gives to Node. */
export function quire(script: keyof Package["scripts"], options: Omit<ChildOptions, "nodeOptions">): Child {
  const { scripts } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as Package;
  const given = /\bnode ((?:--\S+ )*)src\/main\.ts/.exec(scripts[script])?.[1];
  if (given === undefined) throw new Error(`The script "${script}" of package.json does not run src/main.ts`);
  const nodeOptions = given.split(" ").filter((option) => option !== "");
  return new Child("../src/main.ts", { ...options, nodeOptions });
}
