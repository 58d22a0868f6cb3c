/** The languages that pages for people have, the default one first. Each has a folder of words beside this file. */
export const languages = ["en", "de", "fr", "es"] as const;

export type Language = (typeof languages)[number];

/** Each language's own name, for people who choose one. */
export const ownNames: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

export function isLanguage(code: string): code is Language {
  return (languages as readonly string[]).includes(code);
}

/** A value for each language, made when it is first read. */
export function inEachLanguage<T>(valueIn: (language: Language) => T): Readonly<Record<Language, T>> {
  const values = {};
  for (const language of languages) {
    let made: { value: T } | undefined;
    const get = (): T => (made ??= { value: valueIn(language) }).value;
    Object.defineProperty(values, language, { enumerable: true, get });
  }
  return values as Record<Language, T>;
}
