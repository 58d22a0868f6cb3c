import { stat } from "node:fs/promises";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields } from "../../errors.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import type { Values } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { administeredFields, newAddonFields } from "./fields.ts";
import {
  UnusableAddonError,
  findFolders,
  folderOf,
  parseConfiguration,
  readConfiguration,
} from "./register.ts";
import { type AddonRow, findAddonRow, findRegistered, hasOrganization, registeredAddons } from "./store.ts";

type Stores = Pick<Context, "config" | "database">;

/** Registers the add-on of a folder with what an administrator has sent. */
export async function addAddon(
  context: Stores,
  userId: number,
  values: Values<typeof newAddonFields & typeof administeredFields>,
): Promise<AddonRow> {
  const { repository = "", config = "", access = "private", organization = null } = values;
  const { is_default = false, is_featured = false, is_enabled = true } = values;
  await checkFolder(context, repository);
  const read = await configurationOf(context.config, repository, config);
  const now = timestampNow();
  const given = {
    ...read,
    access,
    organization_id: organization,
    is_default,
    is_featured,
    is_enabled,
    is_removed: false,
    updated_at: now,
  };
  return context.database.write(async (writer) => {
    await checkAudience(writer, { access, organization });
    const known = await findAddonRow(writer, { repository });
    if (known === null)
      return registeredAddons.add(writer, { repository, user_id: userId, created_at: now, ...given });
    if (!known.is_removed) throw invalidFields({ repository: ["This add-on is registered already."] });
    return registeredAddons.change(writer, known, given);
  });
}

/** Changes an add-on that is locked. */
export async function changeAddon(
  { config: settings }: Stores,
  writer: Writer,
  row: AddonRow,
  values: Values<typeof administeredFields>,
): Promise<AddonRow> {
  const { config, access = row.access, organization = row.organization_id } = values;
  await checkAudience(writer, { access, organization });
  const read = config === undefined ? {} : await configurationOf(settings, row.repository, config);
  const { is_default, is_featured, is_enabled } = values;
  return registeredAddons.change(writer, row, {
    ...read,
    access,
    organization_id: organization,
    ...(is_default !== undefined && { is_default }),
    ...(is_featured !== undefined && { is_featured }),
    ...(is_enabled !== undefined && { is_enabled }),
    updated_at: timestampNow(),
  });
}

/** The pasted text, or the file in the folder if nobody has pasted one. */
async function configurationOf(settings: Context["config"], repository: string, config: string) {
  try {
    return config.trim() === ""
      ? await readConfiguration(settings, repository)
      : await parseConfiguration(config, repository);
  } catch (error) {
    if (error instanceof UnusableAddonError) throw invalidFields({ config: [error.message] });
    throw error;
  }
}

/** Its program is in a folder, which people put there who may enter the machine. */
async function checkFolder({ config, database }: Stores, repository: string): Promise<void> {
  try {
    const found = await stat(folderOf(config, repository)).catch(() => null);
    if (found?.isDirectory() === true) return;
  } catch (error) {
    if (!(error instanceof UnusableAddonError)) throw error;
  }
  const registered = new Set((await findRegistered(database.reader)).map((row) => row.repository));
  const free = (await findFolders(config)).filter((name) => !registered.has(name)).slice(0, 20);
  const hint = free.length === 0 ? "Put its folder there first." : `Not registered yet: ${free.join(", ")}.`;
  throw invalidFields({ repository: [`The folder of add-ons has no such folder. ${hint}`] });
}

async function checkAudience(
  writer: Writer,
  { access, organization: id }: { access: AddonRow["access"]; organization: number | null },
): Promise<void> {
  if (id !== null && !(await hasOrganization(writer, id)))
    throw invalidFields({ organization: unknownKey(id).messages });
  if (access === "organization" && id === null)
    throw invalidFields({ organization: ["Choose the organization whose members may run it."] });
}
