/** The languages that pages for people have, the default one first. Each has a folder of words beside this file. */
export const languages = ["en", "de"] as const;

export type Language = (typeof languages)[number];

/** Each language's own name, for people who choose one. */
export const ownNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

export function isLanguage(code: string): code is Language {
  return (languages as readonly string[]).includes(code);
}
