const numbers = new Intl.NumberFormat("en");
const days = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const times = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** "31 January 2025", from a timestamp of the API. */
export function dayInWords(timestamp: string): string {
  return days.format(new Date(timestamp));
}

/** "31 January 2025, 14:05 UTC". */
export function momentInWords(timestamp: string): string {
  return `${dayInWords(timestamp)}, ${times.format(new Date(timestamp))} UTC`;
}

/** "1 page", "1,234 pages". */
export function pagesInWords(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? "page" : "pages"}`;
}

/** "1.5 MB", in steps of a thousand. */
export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let value = bytes;
  let unit = units.shift();
  // A value that would round to 1000 becomes 1 of the next unit.
  while (value >= 999.5 && units.length > 0) {
    value /= 1000;
    unit = units.shift();
  }
  return `${numbers.format(Number(value.toFixed(value < 10 ? 1 : 0)))} ${unit}`;
}

/**
 * The English name of a language code of the API: "srp_latn" is "Serbian (Latin)". An unknown code is returned
 * unchanged.
 */
export function languageInWords(code: string): string {
  if (code === "tra") return "Chinese (Traditional)";
  if (code === "frk") return "German (Fraktur)";
  const [, language = code, old] = /^(.*?)(_old)?$/.exec(code) ?? [];
  const name = nameOfLanguage(language.replace("_", "-"));
  if (name === undefined) return code;
  return old === undefined ? name : `${name} (Old)`;
}

function nameOfLanguage(tag: string): string | undefined {
  try {
    return languages.of(tag);
  } catch {
    return undefined;
  }
}

export function accessInWords(access: string): string {
  return accessNames.get(access) ?? access;
}

export function statusInWords(status: string): string {
  return statusNames.get(status) ?? status;
}

const accessNames: ReadonlyMap<string, string> = new Map([
  ["public", "Public"],
  ["organization", "Its organization only"],
  ["private", "Private"],
  ["invisible", "Invisible"],
]);

const statusNames: ReadonlyMap<string, string> = new Map([
  ["success", "Ready"],
  ["readable", "Readable, still being processed"],
  ["pending", "Being processed"],
  ["error", "Could not be processed"],
  ["nofile", "Waiting for its file"],
]);
