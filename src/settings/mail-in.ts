import { cookieDomain, host, imapUrl, integer, path } from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** How mails become documents. */
export const mailIn = {
  mailInDomain: {
    variable: "QUIRE_MAIL_IN_DOMAIN",
    kind: { ...cookieDomain, expected: "a domain such as documents.example.org" },
    default: null,
    otherwise: "there are no addresses to mail documents to",
    help: "The domain of the addresses to which people mail documents.",
  },
  mailInPort: {
    variable: "QUIRE_MAIL_IN_PORT",
    kind: integer(0, 65_535),
    default: null,
    otherwise: "no mail arrives by SMTP",
    help: "The port at which mails for QUIRE_MAIL_IN_DOMAIN arrive by SMTP; 0 takes any free one.",
  },
  mailInHost: {
    variable: "QUIRE_MAIL_IN_HOST",
    kind: host,
    default: "127.0.0.1",
    help: "The address to listen on for mails by SMTP; 0.0.0.0 or :: listens on every address of this machine.",
  },
  mailInCertificate: {
    variable: "QUIRE_MAIL_IN_CERTIFICATE",
    kind: path,
    default: null,
    otherwise: "mails arrive by SMTP without encryption",
    help: "The file of the certificate, with its chain, with which STARTTLS encrypts mails that arrive by SMTP.",
  },
  mailInCertificateKey: {
    variable: "QUIRE_MAIL_IN_CERTIFICATE_KEY",
    kind: path,
    default: null,
    otherwise: "required with a certificate",
    help: "The file of the private key of the certificate.",
  },
  mailInMaxMb: {
    variable: "QUIRE_MAIL_IN_MAX_MB",
    kind: integer(1, 2000),
    default: "50",
    help: "How large a mail that arrives may be, in megabytes.",
  },
  mailInImap: {
    variable: "QUIRE_MAIL_IN_IMAP",
    kind: imapUrl,
    default: null,
    otherwise: "no mailbox is read",
    help: "The mailbox whose mails for QUIRE_MAIL_IN_DOMAIN are taken in, as imaps://user:password@host/INBOX.",
    secret: true,
  },
} satisfies Partial<SettingTable>;
