/*
 * The parameters of an add-on as a form: one field for each property of the JSON Schema. The schema itself checks what
 * comes of them, so a property that a form cannot draw is JSON in a large field.
 */

import { addonEventKinds } from "../../contract/addon.ts";

export interface Parameter {
  /** The property. */
  name: string;
  title: string;
  help: string;
  kind: "text" | "number" | "boolean" | "list" | "json";
  choices: readonly string[] | null;
  isRequired: boolean;
  /** The text of its default. */
  initial: string;
  /** Of a list: whether its items are numbers. */
  hasNumbers: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isNumeric = (type: unknown): boolean => type === "number" || type === "integer";

export function parametersOf(schema: Json): Parameter[] {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  return Object.entries(objectOf(schema["properties"])).map(([name, property]) => {
    const { title, description, type, enum: values, default: initial, items } = objectOf(property);
    const choices =
      Array.isArray(values) && values.every((value) => typeof value === "string") ? values : null;
    const kind = kindOf(type, items);
    return {
      name,
      title: textOf(title) === "" ? name : textOf(title),
      help: textOf(description),
      kind,
      choices,
      isRequired: required.includes(name),
      initial: initialOf(initial, kind),
      hasNumbers: isNumeric(objectOf(items)["type"]),
    };
  });
}

function kindOf(type: unknown, items: unknown): Parameter["kind"] {
  if (type === "boolean") return "boolean";
  if (isNumeric(type)) return "number";
  if (type === "array") {
    const itemType = objectOf(items)["type"];
    return itemType === "string" || isNumeric(itemType) ? "list" : "json";
  }
  return type === "string" || type === undefined ? "text" : "json";
}

function initialOf(value: unknown, kind: Parameter["kind"]): string {
  if (value === undefined || value === null) return "";
  if (kind === "list" && Array.isArray(value)) return value.map(String).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The parameters that a form gives. What is left empty is left out, so that the schema says whether it may be. */
export function valuesOf(
  schema: Json,
  form: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const parameter of parametersOf(schema)) {
    const text = form.get(`p-${parameter.name}`)?.at(-1);
    const value = valueOf(parameter, text);
    if (value !== undefined) values.set(parameter.name, value);
  }
  return Object.fromEntries(values);
}

function valueOf({ kind, hasNumbers }: Parameter, text: string | undefined): unknown {
  if (kind === "boolean") return text !== undefined;
  if (text === undefined || text.trim() === "") return undefined;
  if (kind === "number") return numberOf(text);
  if (kind === "list") {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return lines.filter((line) => line !== "").map((line) => (hasNumbers ? numberOf(line) : line));
  }
  if (kind === "text") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A text that is no number stays a text, which the schema refuses. */
function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** The texts of a form that would give these values. */
export function formWith(schema: Json, values: Json): Map<string, readonly string[]> {
  const form = new Map<string, readonly string[]>();
  for (const { name, kind } of parametersOf(schema)) {
    const value = values[name];
    if (value === undefined || value === false) continue;
    form.set(`p-${name}`, [initialOf(value, kind)]);
  }
  return form;
}

/** The parameters of a run as people read them: without those that were left empty. */
export function namedValues(
  schema: Json,
  values: Json,
): (readonly [title: string, value: string | boolean])[] {
  return parametersOf(schema).flatMap(({ name, title, kind }) => {
    const value = values[name];
    if (value === undefined || value === "") return [];
    return [[title, typeof value === "boolean" ? value : initialOf(value, kind)] as const];
  });
}

/** By which of the kinds of events an add-on starts by itself, as its configuration says. */
export function eventKindsOf(schema: Json): number[] {
  const { events } = objectOf(schema["eventOptions"]);
  if (!Array.isArray(events)) return [];
  return addonEventKinds.flatMap((kind, value) => (value > 0 && events.includes(kind) ? [value] : []));
}
