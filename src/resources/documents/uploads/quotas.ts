import type { Config } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import { ApiError } from "../../../errors.ts";
import { timestampIn } from "../../../http/text/timestamp.ts";
import { type Holder, countPagesSince, findStoredBytes, holdersOf } from "./quota-store.ts";

/*
 * How much a person and an organization may store, and how many pages they may add in a day. Settings say it, for all
 * alike. A file is checked when it begins to arrive and, if its size was not announced, when it has arrived.
 */

const daySeconds = 86_400;
const retrySeconds = 3600;
const megabyte = 1024 * 1024;

/** What a holder has used of a limit. */
export interface Quota {
  used: number;
  limit: number;
}

/** The limits of one holder. Null where a setting sets none, or where the storage has not been measured yet. */
export interface Quotas {
  bytes: Quota | null;
  /** Of the last 24 hours. */
  pages: Quota | null;
}

/** Whether any setting limits the storage, which then has to be measured. */
export const limitsStorage = ({ personStorageMb, organizationStorageMb }: Config): boolean =>
  personStorageMb > 0 || organizationStorageMb > 0;

/** The holders of a document whose quotas have to be checked: none unless a setting limits something. */
export async function limitedHoldersOf(
  { config, database }: Pick<Context, "config" | "database">,
  documentId: number,
): Promise<Holder[]> {
  const limitsPages = config.personPagesPerDay > 0 || config.organizationPagesPerDay > 0;
  return limitsPages || limitsStorage(config) ? holdersOf(database, documentId) : [];
}

function limitsOf(config: Config, { kind }: Holder): { megabytes: number; pages: number } {
  return kind === "user"
    ? { megabytes: config.personStorageMb, pages: config.personPagesPerDay }
    : { megabytes: config.organizationStorageMb, pages: config.organizationPagesPerDay };
}

export async function findQuotas(
  { config, database }: Pick<Context, "config" | "database">,
  holder: Holder,
): Promise<Quotas> {
  const { megabytes, pages } = limitsOf(config, holder);
  const stored = megabytes === 0 ? null : await findStoredBytes(database, holder);
  const added = pages === 0 ? null : await countPagesSince(database, holder, timestampIn(-daySeconds));
  return {
    bytes: stored === null ? null : { used: stored, limit: megabytes * megabyte },
    pages: added === null ? null : { used: added, limit: pages },
  };
}

/**
 * Makes sure that these holders may store so many bytes more.
 *
 * @throws ApiError 507 if their files would take too much, 429 if they have added too many pages.
 */
export async function checkQuotas(
  context: Pick<Context, "config" | "database">,
  holders: readonly Holder[],
  newBytes: number,
): Promise<void> {
  for (const holder of holders) {
    const { bytes, pages } = await findQuotas(context, holder);
    if (bytes !== null && bytes.used + newBytes > bytes.limit) throw tooMuchStored(holder, bytes);
    if (pages !== null && pages.used >= pages.limit) throw tooManyPages(holder, pages);
  }
}

const whose = ({ kind }: Holder): string =>
  kind === "user" ? "Your documents" : "The documents of your organization";

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte).toLocaleString("en")} MB`;

const tooMuchStored = (holder: Holder, { used, limit }: Quota): ApiError =>
  new ApiError(507, {
    detail:
      `${whose(holder)} take ${inMegabytes(used)}, and with this file they would take more than the ` +
      `${inMegabytes(limit)} that they may. Delete some, or ask an administrator.`,
  });

const tooManyPages = (holder: Holder, { used, limit }: Quota): ApiError =>
  new ApiError(
    429,
    {
      detail:
        `${whose(holder)} of the last 24 hours have ${used.toLocaleString("en")} pages, and may have ` +
        `${limit.toLocaleString("en")}. Go on later, or ask an administrator.`,
    },
    { "retry-after": String(retrySeconds) },
  );
