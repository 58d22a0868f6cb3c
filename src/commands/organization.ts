import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

const data = { setting: "data", placeholder: "FOLDER" } as const;

const add = defineCommand({
  name: "organization add",
  summary: "Add an organization.",
  arguments: { placeholder: "<name>", help: "The organization's name.", min: 1, max: 1 },
  options: { data },
  async run({ config, arguments: [name = ""], stdout, stderr }) {
    const { makeOrganization } = await import("../resources/users/membership.ts");
    await withContext(config, stderr, (context) => makeOrganization(context, name));
    stdout.write(`There is an organization ${name}.\n`);
    return 0;
  },
});

const list = defineCommand({
  name: "organization list",
  summary: "List the organizations: id, name, number of members.",
  options: { data },
  async run({ config, stdout, stderr }) {
    const { listOrganizationsWithMembers } = await import("../resources/organizations/member-store.ts");
    const found = await withContext(config, stderr, ({ database }) =>
      listOrganizationsWithMembers(database.reader),
    );
    stdout.write(
      inColumns(
        found.map(({ id, name, members }) => [
          String(id),
          name,
          `${members} ${members === 1 ? "member" : "members"}`,
        ]),
      ),
    );
    return 0;
  },
});

const member = defineCommand({
  name: "organization member",
  summary: "Make a user a member or an admin of an organization, or end their membership.",
  arguments: {
    placeholder: "<organization> <username>",
    help: "The organization's name or id, and the user's name.",
    min: 2,
    max: 2,
  },
  options: {
    data,
    admin: { flag: true, help: "Make the user an admin instead of a member." },
    remove: { flag: true, help: "End the user's membership." },
  },
  async run({ config, options, arguments: [organization = "", username = ""], stdout, stderr }) {
    const { changeMember } = await import("../resources/users/membership.ts");
    const role = options.remove ? null : options.admin ? "admin" : "member";
    const change = { organization, username, role } as const;
    const name = await withContext(config, stderr, (context) => changeMember(context, change));
    stdout.write(`${username} is ${role === null ? "no member" : roleInWords[role]} of ${name}.\n`);
    return 0;
  },
});

const picture = defineCommand({
  name: "organization picture",
  summary: "Set or remove the picture of an organization.",
  arguments: {
    placeholder: "<organization> [address]",
    help: "The organization's name or id, and the http or https URL of an image.",
    min: 1,
    max: 2,
  },
  options: { data, remove: { flag: true, help: "Remove the picture." } },
  async run({ config, options, arguments: [organization = "", address], stdout, stderr }) {
    const { changePicture } = await import("../resources/users/membership.ts");
    if ((address === undefined) !== options.remove) throw new Error("Give an address, or --remove");
    const change = { organization, address: address ?? null };
    const name = await withContext(config, stderr, (context) => changePicture(context, change));
    stdout.write(
      address === undefined ? `${name} has no picture.\n` : `The picture of ${name} is ${address}\n`,
    );
    return 0;
  },
});

const roleInWords = { admin: "an admin", member: "a member" };

export const organizationCommands: readonly Command[] = [add, list, member, picture];
