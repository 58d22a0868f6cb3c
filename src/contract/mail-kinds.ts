/** What a mail is about. */
export const mailKinds = [
  "invitation",
  "reset",
  "shared project",
  "failed documents",
  "stopped webhooks",
  "mentions",
  "search alert",
] as const;
