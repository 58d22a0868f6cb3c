import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type DescribingField,
  describingFields,
  describingNames,
} from "../src/contract/describing-fields.ts";
import { isFilter, unknownFields } from "../src/desk/model/list-query.ts";
import { memberFields, memberNames } from "../src/resources/documents/record-members.ts";
import { fieldNames } from "../src/search/query-fields.ts";
import { pageTexts } from "../src/texts/pages.ts";
import { editingTexts } from "../src/viewer/texts/editing-texts.ts";

const page = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, "../docs", `${name}.md`), "utf8");

/** The fields that clients may write, other than describing texts. Forms have their own inputs for some of them. */
const otherFields = [
  "title",
  "access",
  "data",
  "language",
  "noindex",
  "original_extension",
  "publish_at",
  "revision_control",
];

const limitOf = (name: string): number | undefined =>
  (describingFields as Readonly<Record<string, DescribingField>>)[name]?.maxLength;

/** Stored for clients, without effect. */
const withoutWords = ["revision_control"];

describe("the texts that describe a document", () => {
  it("are all fields of documents that have no input of their own", () => {
    expect(Object.keys(memberFields).toSorted()).toEqual([...otherFields, ...describingNames].toSorted());
  });

  it.each(describingNames)("have the limit of %s in the API", (name) => {
    expect(memberFields[name].maxLength).toBe(describingFields[name].maxLength);
  });
});

describe("the words of the history", () => {
  // The viewer says a change of access or data in sentences of their own.
  const others = otherFields.filter((name) => !["access", "data", ...withoutWords].includes(name));

  it.each(others)("name %s", (name) => {
    expect(Object.keys(editingTexts.history.fields)).toContain(name);
  });
});

describe("the list for people", () => {
  it.each(fieldNames)("knows the field %s of the query language", (name) => {
    expect(isFilter(name) || unknownFields(`${name}:x`).length === 0).toBe(true);
  });
});

describe("the documentation", () => {
  const documents = page("documents");
  const imports = page("import-and-export");
  const managing = page("managing");

  it.each(Object.keys(memberFields))("describes the field %s in documents.md, with its limit", (name) => {
    const row = documents.split("\n").find((line) => line.startsWith(`| \`${name}\` `));
    expect(row ?? "").toContain(String(limitOf(name) ?? ""));
    expect(row).toBeDefined();
  });

  it.each(memberNames)("mentions the member %s in import-and-export.md", (name) => {
    expect({ name, isMentioned: imports.includes(`\`${name}\``) }).toEqual({ name, isMentioned: true });
  });

  it.each(describingNames)("names the bulk change and the input of %s in managing.md", (name) => {
    const { set, label } = pageTexts({ language: "en" }).describing[name];
    expect({ set: managing.includes(`**${set}**`), label: managing.includes(`**${label}**`) }).toEqual({
      set: true,
      label: true,
    });
  });
});
