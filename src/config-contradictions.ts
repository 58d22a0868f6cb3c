import type { Config } from "./config-values.ts";

type Values = Readonly<Record<string, unknown>>;
type Settings = { readonly [Name in keyof Config]: { variable: string } };

/** What settings lack, or do against each other, in sentences. Each of them can be read by itself. */
export function contradictions(values: Values, settings: Settings): string[] {
  return [lonelyAddresses, halfGiven, halfMail, halfMailIn, foreignCookieDomain].flatMap((check) =>
    check(values, settings),
  );
}

/** Reports addresses that add to that of a primary, without one. */
function lonelyAddresses(values: Values, settings: Settings): string[] {
  if (values["databaseUrl"] !== null) return [];
  return (["databaseDirectUrl", "databaseReadUrls"] as const)
    .filter((name) => values[name] !== null)
    .map(
      (name) => `${settings[name].variable}: of no use, since ${settings.databaseUrl.variable} is not set`,
    );
}

/** Reports the settings that an S3 store lacks, or settings of an S3 store that are given without a bucket. */
function halfGiven(values: Values, settings: Settings): string[] {
  const needed = ["s3AccessKeyId", "s3SecretAccessKey"] as const;
  const bucket = settings.s3Bucket.variable;
  const isGiven = (name: keyof Config): boolean => values[name] !== null;
  if (isGiven("s3Bucket")) {
    const missing = needed.filter((name) => !isGiven(name));
    return missing.map((name) => `${settings[name].variable}: needed, since ${bucket} is set`);
  }
  const useless = (["s3Endpoint", ...needed, "s3Prefix"] as const).filter(isGiven);
  return useless.map((name) => `${settings[name].variable}: of no use, since ${bucket} is not set`);
}

/**
 * Reports what a mail server lacks. The links in mails begin with QUIRE_URL: a request's own host could be forged, and
 * a link that sets a password must not lead elsewhere.
 */
function halfMail(values: Values, settings: Settings): string[] {
  const { mailUrl: server, mailFrom } = settings;
  if (values["mailUrl"] !== null) {
    return (["mailFrom", "url"] as const)
      .filter((name) => values[name] === null)
      .map((name) => `${settings[name].variable}: needed, since ${server.variable} is set`);
  }
  return values["mailFrom"] === null
    ? []
    : [`${mailFrom.variable}: of no use, since ${server.variable} is not set`];
}

/** Reports ways in for mail without a domain, and a certificate without its key. */
function halfMailIn(values: Values, settings: Settings): string[] {
  const { mailInDomain, mailInCertificate, mailInCertificateKey } = settings;
  const ways = (["mailInPort", "mailInImap"] as const).filter((name) => values[name] !== null);
  const lost = values["mailInDomain"] === null ? ways : [];
  const hasCertificate = values["mailInCertificate"] !== null;
  const hasKey = values["mailInCertificateKey"] !== null;
  return [
    ...lost.map((name) => `${settings[name].variable}: of no use, since ${mailInDomain.variable} is not set`),
    ...(hasCertificate && !hasKey
      ? [`${mailInCertificateKey.variable}: needed, since ${mailInCertificate.variable} is set`]
      : []),
    ...(hasKey && !hasCertificate
      ? [`${mailInCertificateKey.variable}: of no use, since ${mailInCertificate.variable} is not set`]
      : []),
  ];
}

/** Browsers drop a cookie whose domain does not include the host that sets it. */
function foreignCookieDomain({ cookieDomain: domain, url }: Values, settings: Settings): string[] {
  if (typeof domain !== "string" || typeof url !== "string") return [];
  const { hostname } = new URL(url);
  if (hostname === domain || hostname.endsWith(`.${domain}`)) return [];
  return [
    `${settings.cookieDomain.variable}: ${domain} is not the domain of ${hostname}, the host of QUIRE_URL`,
  ];
}
