import { Formats } from "./formats.ts";
import type { mailsEnglish } from "./mails-english.ts";

const formats = new Formats("de");

export const mailsGerman: typeof mailsEnglish = {
  greeting: (name) => `Guten Tag ${name},`,
  somebody: "Jemand",
  more: (count) => formats.plural(count, { one: "Und 1 weiteres.", other: "Und # weitere." }),
  untitled: "Ohne Titel",
  howToStop: (address) => `Hinweise wie diesen können Sie hier abschalten: ${address}`,
  invitation: {
    subject: (host) => `Ihr Konto bei ${host}`,
    reason: (username, address) =>
      `unter ${address} gibt es ein Konto für Sie. Ihr Benutzername ist ${username}.`,
    choose: "Wählen Sie hier ein Passwort. Der Link gilt einmal, und eine Woche lang:",
    otherwise: "Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail.",
  },
  reset: {
    subject: (host) => `Ein neues Passwort für ${host}`,
    reason: (username, address) =>
      `jemand, vielleicht Sie selbst, hat für ${username} unter ${address} ein neues Passwort angefordert.`,
    choose: "Wählen Sie hier ein Passwort. Der Link gilt einmal, und zwei Stunden lang:",
    otherwise: "Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.",
  },
  shared: {
    subject: (count) =>
      formats.plural(count, {
        one: "Ein Projekt wurde mit Ihnen geteilt",
        other: "# Projekte wurden mit Ihnen geteilt",
      }),
    text: (by, title) => `${by} hat das Projekt „${title}“ mit Ihnen geteilt:`,
  },
  failed: {
    subject: (count) =>
      formats.plural(count, {
        one: "Ein Dokument konnte nicht verarbeitet werden",
        other: "# Dokumente konnten nicht verarbeitet werden",
      }),
    text: (count) =>
      formats.plural(count, {
        one: "Quire konnte eines Ihrer Dokumente nicht verarbeiten:",
        other: "Quire konnte # Ihrer Dokumente nicht verarbeiten:",
      }),
    advice: "Auf jeder Seite steht unter „Info“, was nicht gelungen ist und was Sie tun können.",
  },
};
