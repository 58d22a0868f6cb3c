/** The reasons for redactions that every installation has: the set, the code and the key of its label. */
export const knownReasons = [
  { set: "gdpr", code: "GDPR 4(1)", key: "personalData" },
  { set: "gdpr", code: "GDPR 5(1)(c)", key: "minimisation" },
  { set: "gdpr", code: "GDPR 9", key: "specialCategories" },
  { set: "gdpr", code: "GDPR 10", key: "offences" },
  { set: "gdpr", code: "GDPR 15(4)", key: "rightsOfOthers" },
  { set: "foia", code: "(b)(1)", key: "nationalSecurity" },
  { set: "foia", code: "(b)(2)", key: "personnelRules" },
  { set: "foia", code: "(b)(3)", key: "otherStatute" },
  { set: "foia", code: "(b)(4)", key: "tradeSecrets" },
  { set: "foia", code: "(b)(5)", key: "privileged" },
  { set: "foia", code: "(b)(6)", key: "personalPrivacy" },
  { set: "foia", code: "(b)(7)(A)", key: "proceedings" },
  { set: "foia", code: "(b)(7)(B)", key: "fairTrial" },
  { set: "foia", code: "(b)(7)(C)", key: "privacyInRecords" },
  { set: "foia", code: "(b)(7)(D)", key: "source" },
  { set: "foia", code: "(b)(7)(E)", key: "techniques" },
  { set: "foia", code: "(b)(7)(F)", key: "safety" },
  { set: "foia", code: "(b)(8)", key: "banks" },
  { set: "foia", code: "(b)(9)", key: "wells" },
] as const;
export type ReasonKey = (typeof knownReasons)[number]["key"];
