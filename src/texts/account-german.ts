import type { accountEnglish } from "./account-english.ts";
import { Formats } from "./formats.ts";

const formats = new Formats("de");

export const accountGerman: typeof accountEnglish = {
  username: "Benutzername",
  password: "Passwort",
  signIn: "Anmelden",
  signedIn: "Sie sind angemeldet",
  signedInAs: "als",
  continue: "Weiter",
  forgot: "Passwort vergessen?",
  howToGetAccount:
    "Konten legt die Administration dieses Servers an. Von ihr bekommen Sie auch Links zum Wählen eines Passworts.",
  wrongPassword: "Der Benutzername oder das Passwort ist falsch.",
  fromElsewhere: "Das Formular kam von einer anderen Website. Verwenden Sie dieses.",
  tooManyAttempts: (minutes) =>
    minutes === 0
      ? "Es gab zu viele Versuche. Versuchen Sie es gleich noch einmal."
      : `Es gab zu viele Versuche. ${formats.plural(minutes, {
          one: "Versuchen Sie es in 1 Minute noch einmal.",
          other: "Versuchen Sie es in # Minuten noch einmal.",
        })}`,
  tooManyAttemptsLater: "Es gab zu viele Versuche. Versuchen Sie es später noch einmal.",
  tooManyRequests: "Es gab zu viele Anfragen. Versuchen Sie es später noch einmal.",
  busy: "Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.",

  mailSent: "Sehen Sie in Ihr Postfach",
  mailSentHelp:
    "Wenn es ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse gibt, ist eine E-Mail mit einem Link zum Wählen eines neuen Passworts unterwegs. Der Link gilt einmal, und zwei Stunden lang.",
  usernameOrEmail: "Benutzername oder E-Mail-Adresse",
  enterName: "Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.",
  sendLink: "Link zusenden",

  choosePassword: "Passwort wählen",
  choosePasswordFor: "für",
  passwordRule: (min) => `Verwenden Sie mindestens ${min} beliebige Zeichen.`,
  newPassword: "Neues Passwort",
  repeatPassword: "Passwort wiederholen",
  setPassword: "Passwort festlegen",
  passwordsDiffer: "Die beiden Passwörter stimmen nicht überein.",
  passwordProblem: (min, max) => `Ein Passwort hat ${min} bis ${max} Zeichen, die alle Text sind.`,
  linkEnded: "Dieser Link gilt nicht mehr",
  linkEndedHelp:
    "Ein Link zum Wählen eines Passworts gilt nur einmal und nur eine begrenzte Zeit. Wenn Sie ein Passwort haben, melden Sie sich damit an.",
  askForLink: "Wenn nicht, bitten Sie die Administration dieses Servers um einen neuen Link.",
  haveLinkSent: "Wenn nicht, lassen Sie sich einen neuen Link schicken.",

  title: "Ihr Konto",
  youAre: "Sie sind angemeldet als",
  optional: "(freiwillig)",
  nameAndEmail: "Name und E-Mail-Adresse",
  name: "Name, den andere sehen",
  email: "E-Mail-Adresse",
  saveName: "Name und E-Mail-Adresse speichern",
  languageAndZone: "Sprache und Zeitzone",
  language: "Sprache der Seiten",
  browserLanguage: "Die Sprache meines Browsers",
  timeZone: "Zeitzone für Datum und Uhrzeit",
  saveLanguage: "Sprache und Zeitzone speichern",
  notices: "E-Mails an Sie",
  wantsNotices:
    "E-Mails senden, wenn eines meiner Dokumente nicht verarbeitet werden konnte und wenn jemand ein Projekt mit mir teilt",
  saveNotices: "Auswahl der E-Mails speichern",
  passwordHelp: (min) =>
    `Wenn Sie Ihr Passwort ändern, werden Sie überall sonst abgemeldet. Verwenden Sie mindestens ${min} Zeichen.`,
  currentPassword: "Jetziges Passwort",
  changePassword: "Passwort ändern",

  tokens: "Persönliche Tokens",
  tokensHelp:
    "Mit einem Token kann sich ein Programm mit Ihrem Konto anmelden. Widerrufen Sie Tokens, die Sie nicht mehr brauchen.",
  newToken: "Das ist Ihr neues Token. Kopieren Sie es jetzt, denn es wird nie wieder angezeigt:",
  readsAndWrites: "Liest und schreibt",
  readsOnly: "Liest nur",
  neverExpires: "läuft nicht ab",
  expires: "gültig bis",
  neverUsed: "nie verwendet",
  lastUsed: "zuletzt verwendet",
  revoke: "Widerrufen",
  revokeAll: "Alle Token widerrufen",
  revokeToken: (name) => `Token ${name} widerrufen`,
  tokenPurpose: "Zweck eines neuen Tokens",
  mayWrite: "Das Programm darf Dokumente ändern, nicht nur lesen",
  expiresOn: "Gültig bis",
  createToken: "Token erstellen",

  sessions: "Wo Sie angemeldet sind",
  thisBrowser: "Dieser Browser",
  since: "seit",
  signOut: "Abmelden",
  signOutOf: (browser) => `${browser} abmelden`,
  signOutElsewhere: "Überall sonst abmelden",
  unknownProgram: "Ein unbekanntes Programm",
  browserOn: (browser, system) => `${browser} unter ${system}`,

  messages: {
    "This field may not be blank.": "Dieses Feld darf nicht leer sein.",
    "Enter a valid email address.": "Geben Sie eine gültige E-Mail-Adresse ein.",
    "Another user has this email address.": "Ein anderes Konto hat diese E-Mail-Adresse.",
    "This is not your password.": "Das ist nicht Ihr Passwort.",
    "This moment has passed.": "Dieser Zeitpunkt ist vorbei.",
  },

  done: {
    profile: "Ihr Name und Ihre E-Mail-Adresse wurden gespeichert.",
    preferences: "Ihre Sprache und Ihre Zeitzone wurden gespeichert.",
    notices: "Ihre Auswahl der E-Mails wurde gespeichert.",
    sessions: "Sie sind überall sonst abgemeldet.",
    password: "Ihr Passwort wurde geändert. Sie sind überall sonst abgemeldet.",
    link: "Ihr Passwort wurde geändert, und Sie sind überall sonst abgemeldet. Ihre persönlichen Token gelten weiter: Widerrufen Sie alle, die Sie nicht kennen.",
    token: "Das Token wurde widerrufen.",
    tokens: "Alle Ihre Token wurden widerrufen.",
    session: "Dieser Browser wurde abgemeldet.",
  },
};
