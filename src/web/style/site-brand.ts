import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Config } from "../../config.ts";
import type { Brand } from "../../http/browsable/site.ts";
import type { Branding } from "../../resources/branding/branding.ts";
import type { StoredBranding } from "../../resources/branding/branding-store.ts";
import { type AddressedFile, addressed } from "./addressed-file.ts";
import { coloursOf } from "./colours.ts";

type BrandSettings = Pick<
  Config,
  "siteName" | "siteAbout" | "siteLogo" | "siteColour" | "imprintUrl" | "privacyUrl"
>;

interface DrawnBrand {
  brand: Brand;
  files: readonly AddressedFile[];
}

/**
 * Whose site it is, as pages show it: what the settings say, then what administrators say, then Quire's own. It has the
 * logo and the stylesheet of the colour, too, at addresses that change with them.
 */
export class SiteBrand {
  readonly #settings: BrandSettings;
  readonly #branding: Pick<Branding, "stored" | "read">;
  readonly #ownLogo: AddressedFile | null;
  /** The brand, and what administrators had said when it was made. */
  #drawn: { of: StoredBranding; is: DrawnBrand } | null = null;

  /** @throws {Error} If the setting's logo cannot be read, or is no image that pages show. */
  constructor(settings: BrandSettings, branding: Pick<Branding, "stored" | "read">) {
    this.#settings = settings;
    this.#branding = branding;
    this.#ownLogo = settings.siteLogo === null ? null : readLogoAt(settings.siteLogo);
  }

  get current(): Brand {
    return this.#draw().brand;
  }

  /** Another process may have sent the page that names the file, so the branding is read again if it is unknown. */
  async findFile(path: string): Promise<AddressedFile["file"] | null> {
    if (!/^\/static\/(?:logo|colours)-/.test(path)) return null;
    const find = (): AddressedFile | undefined => this.#draw().files.find((file) => file.path === path);
    let found = find();
    if (found === undefined) {
      await this.#branding.read();
      found = find();
    }
    return found?.file ?? null;
  }

  #draw(): DrawnBrand {
    const { stored } = this.#branding;
    if (this.#drawn?.of !== stored) this.#drawn = { of: stored, is: this.#drawAgain(stored) };
    return this.#drawn.is;
  }

  #drawAgain(stored: StoredBranding): DrawnBrand {
    const { siteName, siteAbout, siteColour, imprintUrl, privacyUrl } = this.#settings;
    const colour = siteColour ?? stored.colour;
    const logo =
      this.#ownLogo ??
      (stored.logo === ""
        ? null
        : addressed({ name: "logo", extension: "png", body: Buffer.from(stored.logo, "base64") }));
    const colours =
      colour === ""
        ? null
        : addressed({ name: "colours", extension: "css", body: Buffer.from(coloursOf(colour)) });
    return {
      brand: {
        name: siteName ?? (stored.name || "Quire"),
        about: siteAbout ?? stored.about,
        logo: logo?.path ?? null,
        colours: colours?.path ?? null,
        imprint: imprintUrl ?? (stored.imprint_url || null),
        privacy: privacyUrl ?? (stored.privacy_url || null),
      },
      files: [logo, colours].filter((file) => file !== null),
    };
  }
}

function readLogoAt(file: string): AddressedFile {
  const extension = extname(file).slice(1).toLowerCase().replace("jpeg", "jpg");
  if (!["svg", "png", "jpg", "webp"].includes(extension))
    throw new Error(`QUIRE_SITE_LOGO: ${file} is not an SVG, PNG, JPEG or WebP file`);
  return addressed({ name: "logo", extension, body: readFileSync(file) });
}
