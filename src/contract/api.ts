/*
 * The types of the API for programs in TypeScript or JavaScript: `import type { … } from "quire/api"`. The npm package
 * has them as declarations, with the limits and the lists of values that programs share with the server.
 */

export * from "./document.ts";
export * from "./limits.ts";
export * from "./note.ts";
export * from "./person.ts";
export * from "./project.ts";
export * from "./search.ts";
export type { Page, Static } from "./shape.ts";
export * from "./work.ts";
