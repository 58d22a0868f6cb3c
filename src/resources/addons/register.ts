import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { addonAccesses } from "../../contract/addon.ts";
import type { Context } from "../../context.ts";
import { reasonOf } from "../../errors.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { findSchemaFault } from "./parameters.ts";
import { type AddonRow, findAddonRow, registeredAddons } from "./store.ts";

/** The folder of an add-on cannot be taken as it is. */
export class UnusableAddonError extends Error {
  override readonly name = "UnusableAddonError";
}

type Config = Pick<Context["config"], "addonFolder" | "data">;

const repositoryName = /^[\w-][\w.-]{0,69}(?:\/[\w-][\w.-]{0,69})?$/;
const maxConfigBytes = 262_144;

const rootOf = ({ addonFolder, data }: Config): string => addonFolder ?? path.join(data, "addons");

/** The folder of an add-on. @throws {UnusableAddonError} for a name that leads elsewhere */
export function folderOf(config: Config, repository: string): string {
  if (!repositoryName.test(repository)) throw new UnusableAddonError(`${repository} cannot name an add-on`);
  return path.join(rootOf(config), repository);
}

/** The names of the folders that have a configuration. */
export async function findFolders(config: Config): Promise<string[]> {
  const root = rootOf(config);
  const found: string[] = [];
  const look = async (parent: string, depth: number): Promise<void> => {
    const entries = await readdir(path.join(root, parent), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = parent === "" ? entry.name : `${parent}/${entry.name}`;
      if (!repositoryName.test(name) || entry.isFile()) continue;
      const has = await stat(path.join(root, name, "config.yaml")).catch(() => null);
      if (has?.isFile() === true) found.push(name);
      else if (depth > 1) await look(name, depth - 1);
    }
  };
  await look("", 2);
  return found.toSorted();
}

export interface Registration {
  repository: string;
  access?: (typeof addonAccesses)[number] | undefined;
  organization?: number | null | undefined;
  isDefault?: boolean | undefined;
  isFeatured?: boolean | undefined;
  /** Who registers it; null for the command line. */
  user: number | null;
}

/**
 * Registers the add-on of a folder, or reads its configuration again. Values that are not given stay; a
 * new add-on is private without an access level.
 *
 * @throws {UnusableAddonError}
 */
export async function registerAddon(
  { config, database }: Pick<Context, "config" | "database">,
  { repository, access, organization, isDefault, isFeatured, user }: Registration,
): Promise<AddonRow> {
  const read = await readConfiguration(config, repository);
  const now = timestampNow();
  const given = {
    ...read,
    ...(access !== undefined && { access }),
    ...(organization !== undefined && { organization_id: organization }),
    ...(isDefault !== undefined && { is_default: isDefault }),
    ...(isFeatured !== undefined && { is_featured: isFeatured }),
    is_removed: false,
    updated_at: now,
  };
  return database.write(async (writer) => {
    const known = await findAddonRow(writer, { repository });
    if (known !== null) return registeredAddons.change(writer, known, given);
    return registeredAddons.add(writer, {
      repository,
      user_id: user,
      access: "private",
      is_default: false,
      is_featured: false,
      created_at: now,
      ...given,
    });
  });
}

/** Nobody sees the add-on any more. Returns whether there was one. */
export async function removeAddon(
  { database }: Pick<Context, "database">,
  repository: string,
): Promise<boolean> {
  return database.write(async (writer) => {
    const known = await findAddonRow(writer, { repository });
    if (known === null || known.is_removed) return false;
    await registeredAddons.change(writer, known, { is_removed: true, updated_at: timestampNow() });
    return true;
  });
}

type Read = Pick<AddonRow, "name" | "description" | "categories" | "parameters" | "config">;

/** The `config.yaml` in the folder of an add-on. @throws {UnusableAddonError} */
export async function readConfiguration(config: Config, repository: string): Promise<Read> {
  const file = path.join(folderOf(config, repository), "config.yaml");
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UnusableAddonError(`${file}: ${reasonOf(error)}`);
  }
  try {
    return { ...(await parseConfiguration(text, repository)), config: null };
  } catch (error) {
    if (error instanceof UnusableAddonError) throw new UnusableAddonError(`${file}: ${error.message}`);
    throw error;
  }
}

/**
 * A configuration as DocumentCloud's add-ons have it: texts in Markdown become HTML.
 *
 * @throws {UnusableAddonError} with what is wrong, in a sentence
 */
export async function parseConfiguration(text: string, repository: string): Promise<Read> {
  if (Buffer.byteLength(text) > maxConfigBytes)
    throw new UnusableAddonError(`It is larger than ${maxConfigBytes} bytes.`);
  const parameters = await mappingOf(text);
  const { title, description, categories } = parameters;
  const fault = await findSchemaFault(parameters);
  if (fault !== null) throw new UnusableAddonError(`Its properties are no JSON Schema: ${fault}.`);
  for (const name of ["description", "instructions"])
    if (typeof parameters[name] === "string") parameters[name] = await htmlOf(parameters[name]);
  const listed = Array.isArray(categories) ? categories.filter((one) => typeof one === "string") : [];
  return {
    name: Array.from(storable(title) === "" ? repository : storable(title))
      .slice(0, 255)
      .join(""),
    description: storable(description),
    categories:
      listed.length === 0 ? "" : `,${listed.map((one) => storable(one).replaceAll(",", "")).join(",")},`,
    parameters: JSON.stringify(parameters),
    config: text,
  };
}

/** A text without what a database does not take; empty for anything else. */
const storable = (value: unknown): string =>
  typeof value === "string" ? value.replaceAll("\0", "").toWellFormed().trim() : "";

async function mappingOf(text: string): Promise<Record<string, unknown>> {
  const { YAMLParseError, parse } = await import("yaml");
  let value: unknown;
  try {
    // Aliases are limited by the library. JSON has nothing else than YAML of this schema gives.
    value = JSON.parse(JSON.stringify(parse(text, { schema: "core" }) ?? null));
  } catch (error) {
    const [what = ""] = reasonOf(error).split(/ at line \d|\n/);
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new UnusableAddonError(
      line === undefined ? `It cannot be read: ${what}.` : `Line ${line} cannot be read: ${what}.`,
    );
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UnusableAddonError("It has no lines such as “title: …” and “properties: …”.");
}

const allowed =
  "a b blockquote br code em h3 h4 h5 h6 hr i li ol p pre strong sub sup ul table thead tbody tr th td";

/** Markdown as harmless HTML. */
async function htmlOf(markdown: string): Promise<string> {
  const [{ marked }, { default: sanitize }] = await Promise.all([import("marked"), import("sanitize-html")]);
  return sanitize(await marked.parse(markdown), {
    allowedTags: allowed.split(" "),
    allowedAttributes: { a: ["href", "title"] },
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
  }).trim();
}
