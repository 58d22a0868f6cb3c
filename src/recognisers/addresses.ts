import { type Rule, matching } from "./rule.ts";

const host = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}`;
const local = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}._%+'-]{0,62}[\p{L}\p{N}_+-])?`;

/** Addresses of e-mail. */
export const addressRules: readonly Rule[] = [
  {
    name: "email",
    kind: "email",
    source:
      "RFC 5321, section 4.1.2, and RFC 6531 for other scripts; without quoted names and literal addresses",
    find: matching(
      new RegExp(String.raw`(?<![\p{L}\p{N}._%+'@-])${local}@${host}(?![\p{L}\p{N}@-])`, "gu"),
      undefined,
      { sign: /@/g, before: 64, after: 545 },
    ),
  },
  {
    name: "email-written-out",
    kind: "email",
    source: "RFC 5321, section 4.1.2, with the @ written out in brackets, as it is against harvesting",
    find: matching(
      new RegExp(
        String.raw`(?<![\p{L}\p{N}._%+'@-])${local} ?[([{] ?(?:at|@|ät) ?[)\]}] ?` +
          String.raw`(?:[\p{L}\p{N}-]{1,63} ?(?:\.` +
          String.raw`|[([{] ?(?:dot|punkt|point|punto) ?[)\]}]) ?){1,4}\p{L}{2,24}(?![\p{L}\p{N}@-])`,
        "giu",
      ),
      undefined,
      { sign: /[([{] ?(?:at|@|ät) ?[)\]}]/gi, before: 66, after: 400 },
    ),
  },
];
