import { OwnReason, RedactionReason, Withheld } from "../../../contract/withheld.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { InvalidOrRefused } from "../../../http/fields/schema-shapes.ts";

export const listingWithheld = {
  summary: "What redactions have withheld, by page and reason",
  gives: Type.Array(Withheld),
};

export const listingReasons = {
  summary: "The reasons that a redaction may have",
  gives: Type.Array(RedactionReason),
};

export const listingOwn = {
  summary: "The reasons that administrators have added",
  gives: Type.Array(OwnReason),
};

export const replacingOwn = {
  summary: "Replace the reasons that administrators have added",
  body: Type.Array(OwnReason, { examples: [[{ code: "§ 5", label: "Ongoing procurement" }]] }),
  gives: Type.Array(OwnReason),
  also: { 400: InvalidOrRefused },
};
