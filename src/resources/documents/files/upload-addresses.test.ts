import { afterEach, describe, expect, it, vi } from "vitest";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { altered } from "../../../testing/texts.ts";
import { changeActive } from "../../users/change-account.ts";

const refused = { detail: "This upload address is invalid or has expired." };

async function put(address: string): Promise<unknown> {
  const answer = await fetch(address, { method: "PUT", body: "%PDF-" });
  return answer.status === 200 ? 200 : [answer.status, await answer.json()];
}

describe.each(defaultEngines)("the address for the upload of a file on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const colleague = app.person("colleague", { organizations: [1], password: "any" });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function made(person = owner): Promise<{ id: number; address: string }> {
    const { body } = await sendAs(app, person, "POST", "/api/documents/", { title: "Minutes" });
    return { id: body.id, address: body.presigned_url };
  }

  it("is valid for one document, one user and as long as it says", async () => {
    const [one, other] = [await made(), await made()];
    const later = String(Number(new URL(one.address).searchParams.get("expires")) + 300);
    for (const changed of [
      one.address.replace(`/documents/${one.id}/`, `/documents/${other.id}/`),
      one.address.replace(`viewer=${owner.id}&`, `viewer=${colleague.id}&`),
      one.address.replace(/expires=\d+/, `expires=${later}`),
      one.address.replace(/signature=.*/, ""),
      one.address.replace(/signature=(.*)/, (_, signature: string) => `signature=${altered(signature, 0)}`),
    ])
      expect([changed, await put(changed)]).toEqual([changed, [403, refused]]);
    expect(await put(one.address)).toBe(200);
  });

  it("expires after five minutes, or ten at most", async () => {
    const { address } = await made();
    const begun = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: begun + 601_000 });
    expect(await put(address)).toEqual([403, refused]);
    vi.setSystemTime(begun + 299_000);
    expect(await put(address)).toBe(200);
  });

  it("stops working when the account of its user is closed", async () => {
    const { address } = await made(colleague);
    await changeActive(app.context, "colleague", false);
    expect(await put(address)).toEqual([403, refused]);
  });
});
