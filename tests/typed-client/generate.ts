import { readFile, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import ts from "./compiler.ts";

/*
 * node generate.ts <OpenAPI document> <output>: generates the types of an API as in docs/schema.md. openapi-typescript
 * uses the compiler's programming interface, so it gets a compiler that has one.
 */
const compiler = new URL("./compiler.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? compiler : specifier, context),
});
const { default: openapiTS, astToString } = await import("openapi-typescript");

const [input = "", output = ""] = process.argv.slice(2);
const blob = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(await readFile(input, "utf8"), {
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
await writeFile(output, astToString(types));
