import { describe, expect, it } from "vitest";
import { inheritedSocket } from "./inherited-socket.ts";

describe("the socket that a process was started with", () => {
  it("is the first descriptor after the standard ones", () => {
    expect(inheritedSocket({ LISTEN_FDS: "1", LISTEN_PID: "7" }, 7)).toBe(3);
  });

  it.each([
    {},
    { LISTEN_FDS: "" },
    { LISTEN_FDS: "0", LISTEN_PID: "7" },
    { LISTEN_FDS: "1", LISTEN_PID: "6" },
  ])("is not there with %j", (environment) => {
    expect(inheritedSocket(environment, 7)).toBeNull();
  });

  it("is one", () => {
    expect(() => inheritedSocket({ LISTEN_FDS: "2", LISTEN_PID: "7" }, 7)).toThrow("listens on one");
  });
});
