import { Certificate, Disposition, RetentionRule, dispositionStates } from "../../contract/keeping.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  choiceParameter,
  integerParameter,
  listOf,
  paging,
} from "../../http/fields/schema-shapes.ts";

export const listingRules = {
  summary: "The retention rules with their counts, a page at a time, also those that have ended",
  query: paging,
  gives: listOf("RetentionRuleList", RetentionRule),
};
export const creatingRule = { summary: "Make a retention rule", gives: RetentionRule };
export const readingRule = { summary: "One retention rule", gives: RetentionRule };
export const endingRule = {
  summary: "End a retention rule, with everything that it has proposed",
  also: { 409: ErrorDetail },
};
export const listingDispositions = {
  summary: "The documents that have run out, a page at a time",
  query: {
    ...paging,
    rule: integerParameter("only by this rule"),
    state: choiceParameter(dispositionStates, "only in this state"),
  },
  gives: listOf("DispositionList", Disposition),
};
export const deciding = {
  summary: "Approve the deletion of documents that have run out, or keep them: all or none",
  gives: Type.Object({ decided: Type.Integer({ description: "how many" }) }),
  status: 200,
  also: { 400: ValidationError },
};
export const listingCertificates = {
  summary: "What retention rules have deleted, the newest first, a page at a time",
  query: paging,
  gives: listOf("CertificateList", Certificate),
};
