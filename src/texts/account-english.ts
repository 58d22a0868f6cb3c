import { Formats } from "./formats.ts";

const formats = new Formats("en");

/** The texts of the pages on which people sign in, choose a password, and manage their own account. */
export const accountEnglish = {
  username: "Username",
  password: "Password",
  signIn: "Sign in",
  signedIn: "You are signed in",
  /** Before the username. */
  signedInAs: "as",
  continue: "Continue",
  forgot: "Forgot your password?",
  howToGetAccount: "The administrator of this server creates accounts and gives out links to set a password.",
  wrongPassword: "The username or the password is wrong.",
  fromElsewhere: "The form came from another site. Use this one.",
  tooManyAttempts: (minutes: number) =>
    minutes === 0
      ? "There were too many attempts. Try again in a moment."
      : `There were too many attempts. ${formats.plural(minutes, {
          one: "Try again in 1 minute.",
          other: "Try again in # minutes.",
        })}`,
  tooManyAttemptsLater: "There were too many attempts. Try again later.",
  tooManyRequests: "There were too many requests. Try again later.",
  busy: "The server is busy. Try again in a moment.",

  mailSent: "Look into your mail",
  mailSentHelp:
    "If there is an account with this username or email address, a mail with a link to choose a new password is on its way. The link works once, within two hours.",
  usernameOrEmail: "Username or email address",
  enterName: "Enter your username or email address.",
  sendLink: "Send me a link",

  choosePassword: "Choose a password",
  /** Before the username. */
  choosePasswordFor: "for",
  /** After the username. */
  passwordRule: (min: number) => `Use at least ${min} characters, of any kind.`,
  newPassword: "New password",
  repeatPassword: "Repeat the password",
  setPassword: "Set the password",
  passwordsDiffer: "The two passwords differ.",
  passwordProblem: (min: number, max: number) =>
    `A password has ${min} to ${max} characters, all of them text.`,
  linkEnded: "This link is no longer valid",
  linkEndedHelp:
    "A link to set a password works only once and for a limited time. If you have a password, sign in with it.",
  askForLink: "If not, ask the administrator of this server for a new link.",
  haveLinkSent: "If not, have a new link sent to you.",

  title: "Your account",
  /** Before the username. */
  youAre: "You are signed in as",
  optional: "(optional)",
  nameAndEmail: "Name and email",
  name: "Name that others see",
  email: "Email",
  saveName: "Save name and email",
  languageAndZone: "Language and time zone",
  language: "Language of pages",
  browserLanguage: "The language of my browser",
  timeZone: "Time zone of dates and times",
  saveLanguage: "Save language and time zone",
  notices: "Mails to you",
  wantsNotices:
    "Tell me by mail when a document of mine could not be processed, and when somebody shares a project with me",
  saveNotices: "Save the choice of mails",
  passwordHelp: (min: number) =>
    `Changing your password signs you out everywhere else. Use at least ${min} characters.`,
  currentPassword: "Current password",
  changePassword: "Change the password",

  tokens: "Personal tokens",
  tokensHelp: "With a token, a program can sign in as you. Revoke tokens that you no longer use.",
  newToken: "This is your new token. Copy it now, because it is never shown again:",
  readsAndWrites: "Reads and writes",
  readsOnly: "Reads only",
  neverExpires: "does not expire",
  /** Before a moment. */
  expires: "expires",
  neverUsed: "never used",
  /** Before a moment. */
  lastUsed: "last used",
  revoke: "Revoke",
  revokeAll: "Revoke all tokens",
  revokeToken: (name: string) => `Revoke the token ${name}`,
  tokenPurpose: "Purpose of a new token",
  mayWrite: "The program may change documents, not only read them",
  expiresOn: "Expires on",
  createToken: "Create a token",

  sessions: "Where you are signed in",
  thisBrowser: "This browser",
  /** Before a moment. */
  since: "since",
  signOut: "Sign out",
  signOutOf: (browser: string) => `Sign out ${browser}`,
  signOutElsewhere: "Sign out everywhere else",
  unknownProgram: "An unknown program",
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,

  /** Messages of the API. Other messages appear as the API has them. */
  messages: {
    "This field may not be blank.": "This field may not be blank.",
    "Enter a valid email address.": "Enter a valid email address.",
    "Another user has this email address.": "Another user has this email address.",
    "This is not your password.": "This is not your password.",
    "This moment has passed.": "This moment has passed.",
  } as Readonly<Record<string, string>>,

  /** Sentences about the last action. */
  done: {
    profile: "Your name and email were saved.",
    preferences: "Your language and time zone were saved.",
    notices: "Your choice of mails was saved.",
    sessions: "You are signed out everywhere else.",
    password: "Your password was changed. You are signed out everywhere else.",
    link: "Your password was changed, and you are signed out everywhere else. Your personal tokens still work: revoke those that you do not know.",
    token: "The token was revoked.",
    tokens: "All your tokens were revoked.",
    session: "That browser was signed out.",
  } as Readonly<Record<string, string>>,
};
