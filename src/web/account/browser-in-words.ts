import type { Catalogue } from "../../texts/pages.ts";

/** The browser and the operating system in a User-Agent. For an unknown browser, the beginning of the header. */
export function browserInWords(userAgent: string, texts: Catalogue["account"]): string {
  if (userAgent === "") return texts.unknownProgram;
  const names = [
    [/\bEdg\//, "Edge"],
    [/\bOPR\//, "Opera"],
    [/\bFirefox\//, "Firefox"],
    [/\bChrom(?:e|ium)\//, "Chrome"],
    [/\bSafari\//, "Safari"],
  ] as const;
  const systems = [
    [/\bAndroid\b/, "Android"],
    [/\biPhone\b|\biPad\b/, "iOS"],
    [/\bWindows\b/, "Windows"],
    [/\bMac OS X\b/, "macOS"],
    [/\bCrOS\b/, "ChromeOS"],
    [/\bLinux\b/, "Linux"],
  ] as const;
  const name = names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (name === undefined) return userAgent.slice(0, 40);
  return system === undefined ? name : texts.browserOn(name, system);
}
