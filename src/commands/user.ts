import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { anyText } from "../value-kinds.ts";
import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

const username = { placeholder: "<username>", help: "The user's name.", least: 1, most: 1 };
const data = { setting: "data", placeholder: "FOLDER" } as const;
const passwordStdin = {
  flag: true,
  help: "Read the password, one line, from the standard input: the only way to give one.",
} as const;

const add = defineCommand({
  name: "user add",
  summary: "Add an account, for a new user or for a user that imported records name.",
  arguments: { ...username, help: "1 to 150 letters (a to z), digits and @ . + - _" },
  options: {
    data,
    name: { kind: anyText, placeholder: "NAME", help: "The name that others see. Default: the username." },
    email: { kind: anyText, placeholder: "EMAIL", help: "Their email address." },
    organization: {
      kind: anyText,
      placeholder: "NAME",
      help: "The user's organization, which their documents belong to. It is created if it does not exist.",
    },
    admin: {
      flag: true,
      help: "Make the user an administrator, who may change and delete everything visible to them, but sees no more documents than others.",
    },
    "password-stdin": passwordStdin,
  },
  async run({ config, options, arguments: words, stdin, stdout, stderr }) {
    const password = await readPassword(options["password-stdin"], stdin);
    const [name = ""] = words;
    const { addUser } = await import("../resources/users/add-user.ts");
    await withContext(config, stderr, (context) =>
      addUser(context, {
        username: name,
        password,
        name: options.name,
        email: options.email,
        organization: options.organization,
        isAdministrator: options.admin,
      }),
    );
    stdout.write(`${name} can sign in.\n`);
    return 0;
  },
});

const passwd = defineCommand({
  name: "user passwd",
  summary: "Set a user's password and end their sessions.",
  arguments: username,
  options: { data, "password-stdin": passwordStdin },
  async run({ config, options, arguments: words, stdin, stdout, stderr }) {
    const password = await readPassword(options["password-stdin"], stdin);
    const { changePassword } = await import("../resources/users/change-account.ts");
    await withContext(config, stderr, (context) => changePassword(context, words[0] ?? "", password));
    stdout.write(`${words[0]} has a new password.\n`);
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

/** Passwords are no arguments, because every user of a machine can read those, and a terminal keeps them on its screen. */
async function readPassword(isGiven: boolean, stdin: Readable): Promise<string> {
  if (!isGiven)
    throw new Error("The password is read from the standard input: give it there, and --password-stdin");
  return (await text(stdin)).replace(/\r?\n$/, "");
}

export const userCommands: readonly Command[] = [add, passwd, list, disable, enable];
