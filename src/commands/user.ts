import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { anyText } from "../value-kinds.ts";
import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

const username = { placeholder: "<username>", help: "Whom it is about.", least: 1, most: 1 };
const data = { setting: "data", placeholder: "FOLDER" } as const;
const passwordStdin = {
  flag: true,
  help: "Reads the password, one line, from the standard input: the only way to give one.",
} as const;

const add = defineCommand({
  name: "user add",
  summary: "Give someone an account: a new user, or one whom imported records name.",
  arguments: { ...username, help: "1 to 150 letters (a to z), digits and @ . + - _" },
  options: {
    data,
    name: { kind: anyText, placeholder: "NAME", help: "As others see them. Without it, the username." },
    email: { kind: anyText, placeholder: "EMAIL", help: "Their email address." },
    organization: {
      kind: anyText,
      placeholder: "NAME",
      help: "What they are a member of, made if need be; what they make belongs to it.",
    },
    admin: {
      flag: true,
      help: "An administrator: may change and delete whatever they can see, but sees no more documents than others.",
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
  summary: "Give a user a new password. Whatever they are signed in with ends.",
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
  summary: "List the users who have an account.",
  options: { data },
  async run({ config, stdout, stderr }) {
    const { listAccounts } = await import("../resources/users/account-store.ts");
    const users = await withContext(config, stderr, ({ database }) => listAccounts(database.reader));
    const rows = users.map(({ username: one, name, email, isAdministrator, isActive }) => {
      const notes = [...(isAdministrator ? ["administrator"] : []), ...(isActive ? [] : ["disabled"])];
      return [one, name, email, notes.join(", ")];
    });
    stdout.write(inColumns(rows));
    return 0;
  },
});

const disable = switching(
  "disable",
  "End whatever a user is signed in with, and let them sign in no more.",
  false,
);
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

/** Arguments can be read by everyone on a machine, and what is typed at a terminal stays on its screen. */
async function readPassword(isGiven: boolean, stdin: Readable): Promise<string> {
  if (!isGiven)
    throw new Error("The password is read from the standard input: give it there, and --password-stdin");
  return (await text(stdin)).replace(/\r?\n$/, "");
}

export const userCommands: readonly Command[] = [add, passwd, list, disable, enable];
