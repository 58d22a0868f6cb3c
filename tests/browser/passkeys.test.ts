import { expect, it } from "vitest";
import { addPerson } from "../../src/testing/people.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { type Reader, open, readers, useBrowser } from "./reader.ts";

const password = "correct horse battery";
const browser = useBrowser();
const app = useApp("sqlite", { QUIRE_SECOND_FACTOR: "optional" });

it("a passkey is made on the account page, and asked for when its owner signs in", async () => {
  await addPerson(app.context, { username: "ada", password });
  const [reader] = readers as [Reader];
  await browser.read(reader, async (page) => {
    // Passkeys belong to a host name, and not to an address.
    const url = app.url.replace("127.0.0.1", "localhost");
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: { protocol: "ctap2", transport: "internal", hasUserVerification: true, isUserVerified: true },
    });
    const signIn = async (): Promise<void> => {
      await open(page, `${url}/sign-in/?next=%2Faccount%2F`);
      await page.getByLabel("Username").fill("ada");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    };
    await signIn();
    await page.getByRole("link", { name: "Manage your second factors" }).click();
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.getByLabel("Name, such as the device that keeps it").fill("My laptop");
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByText("My laptop").waitFor();
    // Enter in a field does what the form says, and removes no factor.
    await page.getByText("Make new codes").first().click();
    await page.getByLabel("Current password").last().fill(password);
    await page.getByLabel("Current password").last().press("Enter");
    await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByText("My laptop").waitFor();

    await page.context().clearCookies();
    await signIn();
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.getByText("with a password and a passkey").waitFor();
    expect(page.url()).toBe(`${url}/account/`);
  });
});
