import type { Tables } from "../database/tables.ts";
import type { Draws } from "./full-credentials.ts";

const brandingOf = (texts: Draws["texts"]) => ({
  id: 1,
  name: texts(),
  about: texts(),
  colour: "#8a1c2b",
  imprint_url: texts(),
  privacy_url: texts(),
  logo: texts(),
});

const mention = { page: 0, start: 9, kind: "email" };

/**
 * Redacted copies, the boxes that are blackened in documents, what administrators say of reasons and of the site, what
 * people are told of, legal holds and retention, and the mentions of texts.
 */
export function withheldRows(
  users: readonly number[],
  documents: readonly number[],
  { texts, moment, maybe, some }: Pick<Draws, "texts" | "moment" | "maybe" | "some">,
): (readonly [table: keyof Tables, rows: readonly object[]])[] {
  const box = { page: 0, x1: 0, x2: 1, y1: 0, y2: 0.5 };
  const boxOf = (document_id: number) => {
    const reason = { code: maybe(texts()), label: maybe(texts()), redacted_at: moment() };
    return { document_id, ...box, ...reason };
  };
  const toldOf = (user_id: number) => {
    const [document_id, actor_id] = [maybe(some(documents)), maybe(some(users))];
    const times = { created_at: moment(), seen_at: maybe(moment()) };
    return { user_id, kind: "shared", subject: 7, document_id, actor_id, count: 2, ...times };
  };
  const holdOf = (user_id: number) => {
    const released = { released_at: maybe(moment()), released_by: maybe(some(users)) };
    const said = { name: texts(), reason: texts(), query: maybe(texts()), created_at: moment() };
    return { id: user_id, user_id, ...said, ...released };
  };
  const ruleOf = (user_id: number) => {
    const ended = { ended_at: maybe(moment()), ended_by: maybe(some(users)) };
    const said = { name: texts(), query: maybe(texts()), data_key: maybe(texts()), created_at: moment() };
    return { id: user_id, user_id, ...said, period: 9, unit: "years", starts: "data", ...ended };
  };
  const dispositionOf = (document_id: number) => {
    const decided = { decided_at: maybe(moment()), decided_by: maybe(some(users)) };
    const state = some(["proposed", "approved", "kept"]);
    return { document_id, rule_id: some(users), state, due_at: moment(), proposed_at: moment(), ...decided };
  };
  return [
    ["redacted_boxes", documents.map(boxOf)],
    ["notifications", users.map(toldOf)],
    ["holds", users.map(holdOf)],
    ["audit_exports", users.map((user_id) => ({ user_id, at: moment(), person: maybe(9), format: "csv" }))],
    ["retention_rules", users.map(ruleOf)],
    ["dispositions", documents.map(dispositionOf)],
    ["redaction_reasons", [{ code: texts(), label: texts(), position: 0 }]],
    ["site_branding", [brandingOf(texts)]],
    [
      "mentions",
      documents.map((document_id) => ({
        document_id,
        ...mention,
        value: texts(),
        written: texts(),
        recognised: maybe(texts()),
      })),
    ],
    [
      "mention_corrections",
      documents.map((document_id) => ({
        document_id,
        kind: "email",
        // Neither is ever empty.
        value: `${texts()}.`,
        becomes: maybe(`${texts()}.`),
      })),
    ],
  ];
}
