import { Formats } from "./formats.ts";

const formats = new Formats("en");

/** The texts of the mails that Quire sends. */
export const mailsEnglish = {
  greeting: (name: string) => `Hello ${name},`,
  somebody: "Somebody",
  more: (count: number) => formats.plural(count, { one: "And 1 more.", other: "And # more." }),
  untitled: "Untitled",
  howToStop: (address: string) => `You can switch off notices like this one at ${address}`,
  invitation: {
    subject: (host: string) => `Your account at ${host}`,
    reason: (username: string, address: string) =>
      `There is an account for you at ${address}. Your username is ${username}.`,
    choose: "Choose a password here. The link works once, within a week:",
    otherwise: "If you do not know what this is about, ignore this mail.",
  },
  reset: {
    subject: (host: string) => `A new password for ${host}`,
    reason: (username: string, address: string) =>
      `Somebody, perhaps you, asked for a new password for ${username} at ${address}.`,
    choose: "Choose a password here. The link works once, within two hours:",
    otherwise: "If it was not you, ignore this mail: your password stays as it is.",
  },
  shared: {
    subject: (count: number) =>
      formats.plural(count, {
        one: "A project was shared with you",
        other: "# projects were shared with you",
      }),
    text: (by: string, title: string) => `${by} has shared the project “${title}” with you:`,
  },
  failed: {
    subject: (count: number) =>
      formats.plural(count, {
        one: "A document could not be processed",
        other: "# documents could not be processed",
      }),
    text: (count: number) =>
      formats.plural(count, {
        one: "Quire could not process a document of yours:",
        other: "Quire could not process # documents of yours:",
      }),
    advice: "Each page says, under “About”, what went wrong and what you can do.",
  },
};
