import { describe, expect, it } from "vitest";
import { TooBusyError } from "../semaphore.ts";
import { Passwords } from "./passwords.ts";

const cheap = { logN: 4, blockSize: 8, parallelization: 1 };

describe("the hash of a password", () => {
  it("matches only that password, and differs each time", async () => {
    const passwords = new Passwords(cheap);
    const [one, other] = [await passwords.hash("secret of mine"), await passwords.hash("secret of mine")];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    for (const hash of [one, other]) {
      expect(await passwords.matches("secret of mine", hash)).toBe(true);
      expect(await passwords.matches("secret of Mine", hash)).toBe(false);
    }
    for (const broken of [null, "", "$scrypt$ln=4,r=8,p=1$$", "plain"]) {
      expect(await passwords.matches("", broken)).toBe(false);
    }
  });

  it("is the same for both encodings of a letter that keyboards produce", async () => {
    const passwords = new Passwords(cheap);
    expect(await passwords.matches("cafe\u0301", await passwords.hash("caf\u00e9"))).toBe(true);
  });

  it("is checked at its own cost, and recognised as cheap once the cost is raised", async () => {
    const hash = await new Passwords(cheap).hash("secret of mine");
    const dearer = new Passwords({ ...cheap, logN: 5 });
    expect(await dearer.matches("secret of mine", hash)).toBe(true);
    expect(dearer.isCheap(hash)).toBe(true);
    expect(dearer.isCheap(await dearer.hash("secret of mine"))).toBe(false);
  });
});

describe("many passwords at once", () => {
  it("wait for a permit up to a limit, with a hash as well as without one", async () => {
    const passwords = new Passwords(cheap);
    const hash = await passwords.hash("secret of mine");
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        passwords.matches("secret of mine", index % 2 === 0 ? hash : null),
      ),
    );
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(8);
    for (const reason of refused) expect(reason).toBeInstanceOf(TooBusyError);
    expect(results.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(16);
    expect(await passwords.matches("secret of mine", hash)).toBe(true);
  });
});
