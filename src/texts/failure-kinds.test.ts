import { describe, expect, it } from "vitest";
import { notPublic, unanswered } from "../remote/remote-error.ts";
import { failureKindOf } from "./failure-kinds.ts";

describe("the kind of a failure", () => {
  it.each([
    ["Processing was cancelled", "cancelled"],
    ["The worker that was at it went away before it was done", "worker"],
    ["There is no room for now", "room"],
    ["The files cannot be reached for now", "store"],
    [notPublic, "address"],
    [unanswered, "address"],
    ["The address of the file may not have a user name or a password in it", "address"],
    ["The file at the address is larger than 500 MB", "size"],
    ["The file is encrypted: it opens with a password only", "password"],
    ["The file took longer than 60 s", "limits"],
    ["The file is larger than 500 MB", "size"],
    ["The file is missing", "upload"],
    ["The file is broken: its structure cannot be made out", "broken"],
    ["Something else happened", null],
  ])("of “%s” is %s", (message, kind) => {
    expect(failureKindOf(message)).toBe(kind);
  });
});
