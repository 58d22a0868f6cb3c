import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { LocalSemaphores, type Permits, type Semaphores } from "../semaphore.ts";

/** The cost of one hash. Memory and time grow with `logN`, which is log₂ of scrypt's N. */
export interface PasswordCost {
  logN: number;
  blockSize: number;
  parallelization: number;
}

/** Each guess takes 32 MB and less than a tenth of a second. */
const presentCost: PasswordCost = { logN: 15, blockSize: 8, parallelization: 1 };

const hashBytes = 32;
const atOnce = 2;
const maxWaiting = 30;

/**
 * Hashes passwords with scrypt, which is slow on purpose. Only a few hashes are computed at a time and only some
 * requests may wait, so attackers who guess passwords leave most of the machine to others. Each hash contains its cost.
 * When the cost is raised, a user who signs in gets a new hash (see `isCheap`).
 */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #permits: Permits;

  constructor(cost: PasswordCost = presentCost, semaphores: Semaphores = new LocalSemaphores()) {
    this.#cost = cost;
    this.#permits = semaphores.open("passwords", atOnce, maxWaiting);
  }

  /**
   * `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`
   *
   * @throws {TooBusyError}
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const { logN, blockSize, parallelization } = this.#cost;
    const hashed = await this.#derive(password, salt, this.#cost);
    const cost = `ln=${logN},r=${blockSize},p=${parallelization}`;
    return `$scrypt$${cost}$${salt.toString("base64url")}$${hashed.toString("base64url")}`;
  }

  /**
   * Takes as long without a hash (null) as with a wrong password, so that the time does not tell whether an account
   * exists.
   *
   * @throws {TooBusyError}
   */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const read = hash === null ? null : readHash(hash);
    if (read === null) {
      await this.#derive(password, randomBytes(16), this.#cost);
      return false;
    }
    return timingSafeEqual(await this.#derive(password, read.salt, read.cost), read.hashed);
  }

  /** Whether a hash was made at a lower cost than the present one. */
  isCheap(hash: string): boolean {
    return (readHash(hash)?.cost.logN ?? Infinity) < this.#cost.logN;
  }

  async #derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    const release = await this.#permits.acquire();
    try {
      return await derive(password, salt, cost);
    } finally {
      release();
    }
  }
}

/** Runs in Node's thread pool. The password is normalized, because keyboards encode one letter in several ways. */
function derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  const { logN, blockSize: r, parallelization: p } = cost;
  const N = 2 ** logN;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function readHash(hash: string): { cost: PasswordCost; salt: Buffer; hashed: Buffer } | null {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(hash);
  if (match === null) return null;
  const [, logN, blockSize, parallelization, salt = "", hashed = ""] = match;
  return {
    cost: { logN: Number(logN), blockSize: Number(blockSize), parallelization: Number(parallelization) },
    salt: Buffer.from(salt, "base64url"),
    hashed: Buffer.from(hashed, "base64url"),
  };
}
