import type { fieldsEnglish } from "./fields-english.ts";

export const fieldsGerman: typeof fieldsEnglish = {
  description: { label: "Beschreibung", object: "die Beschreibung", set: "Beschreibung setzen" },
  source: { label: "Quelle", object: "die Quelle", set: "Quelle setzen" },
  related_article: {
    label: "Zugehöriger Artikel",
    object: "den zugehörigen Artikel",
    set: "Zugehörigen Artikel setzen",
  },
  published_url: {
    label: "Veröffentlicht unter dieser Adresse",
    fact: "Veröffentlicht unter",
    object: "die Adresse der Veröffentlichung",
    set: "Adresse der Veröffentlichung setzen",
  },
};
