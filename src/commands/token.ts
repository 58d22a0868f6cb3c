import { anyText, integer } from "../value-kinds.ts";
import { inColumns } from "./columns.ts";
import { type Command, defineCommand } from "./command-line.ts";
import { withContext } from "./open.ts";

const data = { setting: "data", placeholder: "FOLDER" } as const;
const username = { placeholder: "<username>", help: "The user's name.", min: 1, max: 1 };

const add = defineCommand({
  name: "token add",
  summary: "Create a personal token, with which a program signs in as the user.",
  arguments: username,
  options: {
    data,
    name: { kind: anyText, placeholder: "NAME", help: "The purpose of the token.", default: "A token" },
    "read-only": { flag: true, help: "Allow the token to read only." },
    "expires-days": {
      kind: integer(1, 36_500),
      placeholder: "DAYS",
      help: "The days until the token expires. Default: never.",
    },
  },
  async run({ config, options, arguments: [user = ""], stdout, stderr }) {
    const [{ addApiToken }, { getUserId }, { timestampIn }] = await Promise.all([
      import("../resources/users/credentials/api-token-store.ts"),
      import("../resources/users/change-account.ts"),
      import("../http/text/timestamp.ts"),
    ]);
    const days = options["expires-days"];
    const { token } = await withContext(config, stderr, async (context) => {
      const id = await getUserId(context, user);
      return context.database.write((writer) =>
        addApiToken(writer, id, {
          name: options.name,
          mayWrite: !options["read-only"],
          expiresAt: days === null ? null : timestampIn(days * 86_400),
        }),
      );
    });
    stderr.write("This token is shown now, and never again:\n");
    stdout.write(`${token}\n`);
    return 0;
  },
});

const list = defineCommand({
  name: "token list",
  summary: "List a user's tokens: id, beginning, name, scope, expiry, last use.",
  arguments: username,
  options: { data },
  async run({ config, arguments: [user = ""], stdout, stderr }) {
    const [{ listApiTokens }, { getUserId }] = await Promise.all([
      import("../resources/users/credentials/api-token-store.ts"),
      import("../resources/users/change-account.ts"),
    ]);
    const tokens = await withContext(config, stderr, async (context) =>
      listApiTokens(context.database.reader, await getUserId(context, user)),
    );
    const rows = tokens.map((token) => [
      String(token.id),
      token.prefix,
      token.name,
      token.may_write ? "read, write" : "read",
      moment(token.expires_at, "no expiry"),
      moment(token.last_used_at, "never used"),
    ]);
    stdout.write(inColumns(rows));
    return 0;
  },
});

const revoke = defineCommand({
  name: "token revoke",
  summary: "Revoke a token immediately.",
  arguments: {
    placeholder: "<token>",
    help: "The token's id or its beginning, as listed.",
    min: 1,
    max: 1,
  },
  options: { data },
  async run({ config, arguments: [which = ""], stdout, stderr }) {
    const { removeApiTokens } = await import("../resources/users/credentials/api-token-store.ts");
    const chosen = /^\d{1,15}$/.test(which) ? { id: Number(which) } : { prefix: which };
    const removed = await withContext(config, stderr, ({ database }) =>
      database.write((writer) => removeApiTokens(writer, chosen)),
    );
    if (removed === 0) throw new Error(`There is no token ${which}`);
    stdout.write(`${removed} ${removed === 1 ? "token" : "tokens"} revoked.\n`);
    return 0;
  },
});

function moment(at: string | null, otherwise: string): string {
  return at?.slice(0, 16) ?? otherwise;
}

export const tokenCommands: readonly Command[] = [add, list, revoke];
