import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { auditSources } from "../../contract/keeping.ts";
import { anyText, oneOf } from "../../value-kinds.ts";
import { defineCommand } from "../command-line.ts";
import { readTimestamp as readTime } from "../../http/text/timestamp.ts";
import { withContext } from "../open.ts";

const time = (help: string) => ({ kind: anyText, placeholder: "TIME", help });

export const audit = defineCommand({
  name: "audit",
  summary: "Write who did what to the standard output: changes, deletions, sign-ins, holds, guests.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    format: {
      kind: oneOf("jsonl", "csv"),
      placeholder: "FORMAT",
      help: "jsonl: an object on each line. csv: for spreadsheets.",
      default: "jsonl",
    },
    since: time("Only what happened at this time or later, such as 2026-01-31 or 2026-01-31T12:00Z."),
    until: time("Only what happened before this time."),
    source: {
      kind: oneOf(...auditSources),
      placeholder: "SOURCE",
      help: "Only entries of this source, such as membership.",
    },
    user: {
      kind: anyText,
      placeholder: "USERNAME",
      help: "Only what this user did, or what was done to the account.",
    },
  },
  check({ options: { since, until } }) {
    return Object.entries({ since, until }).flatMap(([name, text]) =>
      text === null || readTime(text) !== null ? [] : [`--${name}: ${JSON.stringify(text)} is no time`],
    );
  },
  async run({ config, options, signal, stdout, stderr }) {
    const [{ exportAudit }, { getUserId }] = await Promise.all([
      import("../../resources/audit/export-audit.ts"),
      import("../../resources/users/change-account.ts"),
    ]);
    await withContext(config, stderr, async (context) => {
      const range = {
        since: options.since === null ? null : readTime(options.since),
        until: options.until === null ? null : readTime(options.until),
        person: options.user === null ? null : await getUserId(context, options.user),
        source: options.source ?? null,
      };
      const format = options.format === "csv" ? "csv" : "jsonl";
      const lines = await exportAudit(context, null, range, format);
      await pipeline(Readable.from(lines), stdout, {
        signal,
        end: false,
      });
    });
    return 0;
  },
});
