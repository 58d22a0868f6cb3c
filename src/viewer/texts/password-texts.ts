import words from "#words/password.json" with { type: "json" };

/** The texts of a PDF that opens with a password only. */
export const passwordTexts = words;
