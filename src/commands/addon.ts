import { addonAccesses } from "../contract/addon.ts";
import { anyText, oneOf } from "../value-kinds.ts";
import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

const data = { setting: "data", placeholder: "FOLDER" } as const;
const folder = {
  placeholder: "<folder>",
  help: "The add-on's folder below the folder of add-ons, such as owner/name.",
  min: 1,
  max: 1,
};

const add = defineCommand({
  name: "addon add",
  summary: "Register the add-on of a folder, or read its config.yaml again.",
  arguments: folder,
  options: {
    data,
    access: {
      kind: oneOf(...addonAccesses),
      placeholder: "ACCESS",
      help: "Who may run it: public, organization or private. Default: as it was, or private.",
    },
    organization: {
      kind: anyText,
      placeholder: "NAME",
      help: "The organization whose members may run it.",
    },
    default: { flag: true, help: "Offer it to everyone without looking for it." },
    featured: { flag: true, help: "Show it first." },
  },
  async run({ config, options, arguments: [repository = ""], stdout, stderr }) {
    const [{ registerAddon }, { findOrganizationCalled }] = await Promise.all([
      import("../resources/addons/register.ts"),
      import("../resources/organizations/member-store.ts"),
    ]);
    const { access, organization } = options;
    const row = await withContext(config, stderr, async (context) => {
      const known =
        organization === null
          ? null
          : await context.database.write((writer) => findOrganizationCalled(writer, organization));
      if (organization !== null && known === null)
        throw new Error(`There is no organization ${organization}`);
      return registerAddon(context, {
        repository,
        user: null,
        access: access ?? undefined,
        organization: known?.id,
        ...(options.default && { isDefault: true }),
        ...(options.featured && { isFeatured: true }),
      });
    });
    stdout.write(`${row.repository}: ${row.name}, ${row.access}\n`);
    return 0;
  },
});

const list = defineCommand({
  name: "addon list",
  summary: "List the add-ons: folder, name, who may run them; and folders that are not registered.",
  options: { data },
  async run({ config, stdout, stderr }) {
    const [{ findFolders }, { findRegistered }] = await Promise.all([
      import("../resources/addons/register.ts"),
      import("../resources/addons/store.ts"),
    ]);
    const rows = await withContext(config, stderr, ({ database }) => findRegistered(database.reader));
    const known = new Set(rows.map(({ repository }) => repository));
    const others = (await findFolders(config)).filter((name) => !known.has(name));
    stdout.write(
      inColumns([
        ...rows.map(({ repository, name, access }) => [repository, name, access]),
        ...others.map((name) => [name, "", "not registered"]),
      ]),
    );
    return 0;
  },
});

const remove = defineCommand({
  name: "addon remove",
  summary: "Remove an add-on. Its runs and their files stay.",
  arguments: folder,
  options: { data },
  async run({ config, arguments: [repository = ""], stdout, stderr }) {
    const { removeAddon } = await import("../resources/addons/register.ts");
    const isRemoved = await withContext(config, stderr, (context) => removeAddon(context, repository));
    if (!isRemoved) throw new Error(`There is no add-on ${repository}`);
    stdout.write(`${repository} is removed.\n`);
    return 0;
  },
});

export const addonCommands: readonly Command[] = [add, list, remove];
