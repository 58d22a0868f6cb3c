#!/usr/bin/env node
/*
 * The command `quire` of the npm package. It runs under any Node that npm runs under, and hands over to the Node that
 * the package depends on, with the options that a server needs.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const { config, dependencies } = createRequire(import.meta.url)("../package.json");
const serverOptions = [
  "--max-semi-space-size=4",
  "--heap-growing-percent=30",
  "--no-allocation-site-pretenuring",
];

function pinnedNode() {
  const program = path.join("bin", process.platform === "win32" ? "node.exe" : "node");
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve("node/package.json"));
    const found = path.join(folder, program);
    return existsSync(found) ? found : null;
  } catch {
    return null;
  }
}

function chosenNode() {
  const pinned = pinnedNode();
  if (pinned !== null) return pinned;
  // npm may be told to run no scripts of packages, and one of them puts the pinned Node in place.
  if (process.versions.node.split(".")[0] === dependencies.node.split(".")[0]) return process.execPath;
  process.stderr.write(
    `quire: Node ${dependencies.node} is missing, because npm ran no scripts: run "npm rebuild node" where Quire is ` +
      `installed, or start it with Node ${dependencies.node.split(".")[0]} (this is ${process.versions.node})\n`,
  );
  return null;
}

// Without a command, it serves.
const args = process.argv.length > 2 ? process.argv.slice(2) : ["serve"];
const options = args[0] === "serve" ? serverOptions : [];
const command = [...options, path.join(root, "src", "main.js"), ...args];
const env = { NODE_COMPILE_CACHE: path.join(root, config.compileCache), ...process.env };
const node = chosenNode();
// systemd has passed a socket to this process. It would not outlive `execve`, and is told to the process that uses it.
const hasSocket = process.env.LISTEN_PID === String(process.pid);
if (node === null) {
  process.exitCode = 1;
} else if (typeof process.execve === "function" && process.platform !== "win32" && !hasSocket) {
  // The process becomes the server, so a supervisor sees the server itself.
  process.execve(node, [node, ...command], env);
} else {
  const child = hasSocket
    ? spawn("/bin/sh", ["-c", 'LISTEN_PID=$$ exec "$@"', "sh", node, ...command], {
        stdio: ["inherit", "inherit", "inherit", 3],
        env,
      })
    : spawn(node, command, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}
