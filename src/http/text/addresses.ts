import type { FastifyRequest } from "fastify";
import { ApiError } from "../../errors.ts";

export interface AddressSettings {
  /** Null uses each request's own scheme and host. */
  url: string | null;
  webUrl: string | null;
  assetUrl: string | null;
}

/** The addresses of this service as the client sees them: without a final slash, except `assets`. */
export interface Addresses {
  api: string;
  web: string;
  assets: string;
}

export function addressesOf(settings: AddressSettings, request: FastifyRequest): Addresses {
  return addressesFrom(settings, settings.url ?? `${request.protocol}://${checkedHost(request.host)}`);
}

/** Whether the client used HTTPS: a proxy may terminate TLS in front of this service. */
export function isOverHttps(url: string | null, request: FastifyRequest): boolean {
  return request.protocol === "https" || url?.startsWith("https:") === true;
}

/** The page where the user of a password link sets their password. `api` is the address of the service. */
export function passwordAddress(api: string, token: string): string {
  return `${api}/set-password/?token=${token}`;
}

/** The addresses of a service whose API is at `api`. */
export function addressesFrom(settings: AddressSettings, api: string): Addresses {
  return { api, web: settings.webUrl ?? api, assets: settings.assetUrl ?? `${api}/files/` };
}

/** The host becomes part of links, so it must be a valid host name. */
function checkedHost(host: string): string {
  if (!/^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host)) {
    throw new ApiError(400, { detail: "Invalid Host header." });
  }
  return host;
}
