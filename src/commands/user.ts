import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { maxRecordId } from "../search/parts.ts";
import { anyText, integer } from "../value-kinds.ts";
import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";
import { passwordLinkLines } from "./own-addresses.ts";

const username = { placeholder: "<username>", help: "The user's name.", min: 1, max: 1 };
const data = { setting: "data", placeholder: "FOLDER" } as const;
const passwordStdin = {
  flag: true,
  help: "Read the password, one line, from the standard input.",
} as const;

const add = defineCommand({
  name: "user add",
  summary: "Add an account, for a new user or for a user that imported records name.",
  arguments: { ...username, help: "1 to 150 letters (a to z), digits and @ . + - _" },
  options: {
    data,
    id: {
      kind: integer(1, maxRecordId),
      placeholder: "ID",
      help: "The id by which imported records name the user. Default: the user of that name, or else a new id.",
    },
    name: { kind: anyText, placeholder: "NAME", help: "The name that others see. Default: the username." },
    email: { kind: anyText, placeholder: "EMAIL", help: "Their email address." },
    organization: {
      kind: anyText,
      placeholder: "NAME",
      help: "The user's organization, which their documents belong to. It is created if it does not exist.",
    },
    admin: {
      flag: true,
      help:
        "Make the user an administrator, who may change and delete everything visible to them, but " +
        "sees no more documents than others.",
    },
    "password-stdin": {
      flag: true,
      help:
        "Read the password, one line, from the standard input. Without it, print a link with which the " +
        "user chooses one.",
    },
  },
  async run({ config, options, arguments: words, stdin, stdout, stderr }) {
    const password = options["password-stdin"] ? await readPassword(stdin) : null;
    const [name = ""] = words;
    const { addUser } = await import("../resources/users/add-user.ts");
    const link = await withContext(config, stderr, async (context) => {
      await addUser(context, {
        id: options.id,
        username: name,
        password,
        name: options.name,
        email: options.email,
        organization: options.organization,
        isAdministrator: options.admin,
      });
      return password === null ? linkFor(context, config, name) : null;
    });
    stdout.write(link ?? `${name} can sign in.\n`);
    return 0;
  },
});

const passwd = defineCommand({
  name: "user passwd",
  summary: "Set a user's password and end their sessions.",
  arguments: username,
  options: { data, "password-stdin": passwordStdin },
  async run({ config, options, arguments: words, stdin, stdout, stderr }) {
    if (!options["password-stdin"]) {
      throw new Error("Give the password on the standard input, with --password-stdin, or use `user link`");
    }
    const password = await readPassword(stdin);
    const { changePassword } = await import("../resources/users/change-account.ts");
    await withContext(config, stderr, (context) => changePassword(context, words[0] ?? "", password));
    stdout.write(`${words[0]} has a new password.\n`);
    return 0;
  },
});

const link = defineCommand({
  name: "user link",
  summary: "Print a link with which a user sets a new password.",
  arguments: username,
  options: { data },
  async run({ config, arguments: [name = ""], stdout, stderr }) {
    stdout.write(await withContext(config, stderr, (context) => linkFor(context, config, name)));
    return 0;
  },
});

const list = defineCommand({
  name: "user list",
  summary: "List the users with an account: id, username, name, email, state, last sign-in.",
  options: { data },
  async run({ config, stdout, stderr }) {
    const { listAccounts } = await import("../resources/users/account-store.ts");
    const users = await withContext(config, stderr, ({ database }) => listAccounts(database.reader));
    const rows = users.map(({ id, username: login, name, email, ...account }) => {
      const state = `${account.isActive ? "active" : "disabled"}${account.isAdministrator ? ", administrator" : ""}`;
      const { signedInAt } = account;
      const signedIn = signedInAt === null ? "never signed in" : `signed in ${signedInAt.slice(0, 19)}Z`;
      return [String(id), login, name, email, state, signedIn];
    });
    stdout.write(inColumns(rows));
    return 0;
  },
});

const resetFactor = defineCommand({
  name: "user reset-second-factor",
  summary: "Remove all second factors and recovery codes of a user who has lost them.",
  arguments: username,
  options: { data },
  async run({ config, arguments: [name = ""], stdout, stderr }) {
    const { findAccount } = await import("../resources/users/account-store.ts");
    const { noAccount } = await import("../resources/users/change-account.ts");
    const { resetSecondFactors } = await import("../resources/users/credentials/second-factor.ts");
    const isReset = await withContext(config, stderr, async (context) => {
      const account = await findAccount(context.database.reader, name);
      if (account === null) throw noAccount(name);
      return resetSecondFactors(context, account.id, null);
    });
    stdout.write(isReset ? `${name} has no second factor any more.\n` : `${name} had no second factor.\n`);
    return 0;
  },
});

const disable = switching("disable", "End a user's sessions and keep them from signing in.", false);
const enable = switching("enable", "Let a user sign in again.", true);

function switching(verb: string, summary: string, isActive: boolean): Command {
  return {
    name: `user ${verb}`,
    summary,
    arguments: username,
    options: { data },
    async run({ config, arguments: words, stdout, stderr }) {
      const { changeActive } = await import("../resources/users/change-account.ts");
      await withContext(config, stderr, (context) => changeActive(context, words[0] ?? "", isActive));
      stdout.write(`${words[0]} is ${verb}d.\n`);
      return 0;
    },
  };
}

/** Creates a password link and returns the lines that show it. */
async function linkFor(context: Context, config: Config, name: string): Promise<string> {
  const { createPasswordLink } = await import("../resources/users/credentials/password-links.ts");
  return passwordLinkLines(config, name, await createPasswordLink(context, name));
}

/** Passwords are not arguments, because every user of a machine can read those. */
async function readPassword(stdin: Readable): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, "");
}

export const userCommands: readonly Command[] = [add, passwd, link, list, resetFactor, disable, enable];
