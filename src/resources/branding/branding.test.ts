import sharp from "sharp";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { type TestApp, engines, startAppOn, useApp } from "../../testing/test-app.ts";

const photo = (format: "jpeg" | "webp"): Promise<Buffer> =>
  sharp({ create: { width: 1200, height: 600, channels: 3, background: "#8a1c2b" } })
    .withExif({ IFD0: { Artist: "A secret name" } })
    .toFormat(format)
    .toBuffer();

const homeOf = async (server: Pick<TestApp, "fetch">): Promise<string> => (await server.fetch("/")).text();

describe.each(engines)("the branding of a site on %s", (engine) => {
  const app = useApp(engine, { QUIRE_PRIVACY_URL: "https://example.org/set" });
  let session: Record<string, string>;
  beforeAll(async () => {
    await addDocuments(app.context, []);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    session = { ...(await beginSession(app.context, boss)) };
  });

  const send = (method: string, value?: object): Promise<Reply> =>
    sendAs(app, null, method, "/api/admin/branding/", value, session);

  it("shows on every page of every process, also where an earlier page is cached", async () => {
    await using other = await startAppOn(app.context.config);
    for (const server of [app, other, app, other]) expect(await homeOf(server)).toContain("– Quire</title>");
    const logo = (await photo("jpeg")).toString("base64");
    const { status, body } = await send("PATCH", { name: "Harbour <News>", colour: "#FFE000", logo });
    expect(status).toBe(200);
    // It may have read nothing yet. What it answers now must not stay.
    for (let request = 0; request < 3; request++) await homeOf(other);
    const page = await homeOf(app);
    expect(page).toContain("– Harbour &#60;News&#62;</title>");
    expect(page).toContain(`<link rel="stylesheet" href="${body.colours}"`);
    // The other process finds files at once that it has not heard of.
    const image = await other.fetch(body.logo);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(image.headers.get("cache-control")).toContain("immutable");
    const bytes = Buffer.from(await image.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 168, height: 84 });
    expect(bytes.toString("latin1")).not.toContain("A secret name");
    await vi.waitFor(async () => expect(await homeOf(other)).toContain("– Harbour &#60;"), {
      timeout: 60_000,
    });
    const { body: changed } = await send("PATCH", {
      logo: (await photo("webp")).toString("base64"),
      colour: "",
    });
    expect(changed).toMatchObject({ name: "Harbour <News>", colours: null });
    expect(changed.logo).not.toBe(body.logo);
    expect((await app.fetch(body.logo)).status).toBe(404);
    expect((await send("PATCH", { name: "", logo: "" })).body).toMatchObject({
      shown_name: "Quire",
      logo: null,
    });
    expect(await homeOf(app)).toContain("– Quire</title>");
  });

  it("refuses what it cannot show, and what a setting says", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    const tooLarge = Buffer.concat([await photo("jpeg"), Buffer.alloc(500_000)]);
    const broken = (await photo("webp")).subarray(0, 60);
    for (const bytes of [svg, tooLarge, broken])
      expect((await send("PATCH", { logo: bytes.toString("base64") })).body).toEqual({
        logo: [expect.any(String)],
      });
    const { status, body } = await send("PATCH", {
      name: "two\nlines",
      colour: "red",
      imprint_url: "javascript:alert(1)",
    });
    expect([status, Object.keys(body)]).toEqual([400, ["name", "colour", "imprint_url"]]);
    const fixed = await send("PATCH", { privacy_url: "https://example.org/other" });
    expect(fixed.body).toEqual({ privacy_url: ["The setting QUIRE_PRIVACY_URL of the server says it"] });
    expect((await send("GET")).body).toMatchObject({
      privacy_url: "https://example.org/set",
      set_in_environment: ["privacy_url"],
    });
  });
});
