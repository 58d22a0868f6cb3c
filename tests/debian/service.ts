import { Uploader, answers, check, until } from "./checks.ts";
import type { BootedSystem } from "./booted-system.ts";

/** What systemd does with quire.service: it starts, restarts and ends it, and keeps it apart. */

export interface Service {
  system: BootedSystem;
  url: string;
  /** Where the package is installed. */
  modules: string;
  /** The program that runs its JavaScript. */
  node: string;
}

export const property = (system: BootedSystem, unit: string, name: string): string =>
  system.run(["systemctl", "show", "--property", name, "--value", unit]).trim();

export async function checkService(service: Service): Promise<void> {
  const { system, url } = service;
  const answersAgain = (): Promise<void> => until(`${url} answers`, () => answers(url));
  await answersAgain();
  const isActive = (): boolean => property(system, "quire", "ActiveState") === "active";
  check("systemd starts it", isActive());
  check("the journal says that it is ready", system.journal("quire").includes("Quire is ready"));
  check(
    "the journal has the link for the password",
    /\/set-password\/\?token=/.test(system.journal("quire")),
  );
  await checkSandbox(service);
  await answersAgain();
  const token = system.run(["quire", "token", "add", "admin"]);
  const uploader = new Uploader(url, token);
  await uploader.checkTexts(await uploader.upload());

  const first = property(system, "quire", "MainPID");
  system.run(["systemctl", "kill", "--kill-who=main", "--signal=KILL", "quire"]);
  await until(
    "another process is the service",
    () => !["0", first].includes(property(system, "quire", "MainPID")),
  );
  await answersAgain();
  check("systemd starts it again when it has been killed", isActive());
  system.run(["systemctl", "reload", "quire"]);
  check("systemd reloads it", isActive());
  system.run(["systemctl", "restart", "quire"]);
  await answersAgain();
  check("systemd restarts it", isActive());
  system.run(["systemctl", "stop", "quire"]);
  check("it ends cleanly", property(system, "quire", "Result") === "success" && !(await answers(url)));
  // Whatever it is about to do then, it ends without a fault.
  for (let logged = 1; logged <= 3; logged++) {
    system.run(["systemctl", "start", "quire"]);
    const begun = system.journal("quire").length;
    if (logged > 1)
      await until("it is starting", () => system.journal("quire").slice(begun).includes("is ready"));
    system.run(["systemctl", "stop", "quire"]);
  }
  check("it ends cleanly while it starts", property(system, "quire", "Result") === "success");
  check("it has logged no error", !system.journal("quire").includes('"level":50'));
  await system.shutDown();
  await system.start();
  await answersAgain();
  check("it serves again after a second boot", isActive());
}

/**
 * What a process of the service may do, as it was found out by one that systemd starts before it. The same script in
 * the same system without the unit may do all of it, so it is the unit that forbids it.
 */
async function checkSandbox({ system, modules, node }: Service): Promise<void> {
  const sandbox = `${modules}/quire/src/processing/convert/sandbox.js`;
  const walls = `import(process.argv[1]).then(({ Sandbox }) => new Sandbox().walls()).then(console.log)`;
  await system.write(
    "/usr/local/lib/quire-probe",
    `exec >"$1" 2>/dev/null
    may() { if "$@" >/dev/null; then echo "$* yes"; else echo "$* no"; fi; }
    may touch /srv/open/file
    may touch /var/lib/quire/file
    may touch /tmp/quire-probe
    may ls /home/open
    may unshare --map-root-user --uts true
    echo "walls $(${node} --eval '${walls}' ${sandbox})"`,
  );
  system.run(["install", "-d", "-m", "777", "/srv/open", "/home/open"]);
  const found = (file: string): Record<string, string> =>
    Object.fromEntries(
      system
        .run(["cat", file])
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
    );
  system.run(["runuser", "-u", "quire", "--", "sh", "/usr/local/lib/quire-probe", "/srv/open/found"]);
  const without = found("/srv/open/found");
  if (Object.values(without).includes("no"))
    throw new Error(`Not allowed anyway: ${JSON.stringify(without)}`);
  system.run(["rm", "/tmp/quire-probe"]);
  const probe = "/run/systemd/system/quire.service.d/probe.conf";
  const text = "[Service]\nExecStartPre=sh /usr/local/lib/quire-probe /var/lib/quire/found\n";
  system.run([
    "sh",
    "-c",
    `mkdir -p ${probe.slice(0, probe.lastIndexOf("/"))} && printf '${text}' >${probe}`,
  ]);
  system.run(["systemctl", "daemon-reload"]);
  system.run(["systemctl", "restart", "quire"]);
  const within = found("/var/lib/quire/found");
  check("it cannot write outside its data", within["touch /srv/open/file"] === "no");
  check("it can write its data", within["touch /var/lib/quire/file"] === "yes");
  const inTmp = system.tried("ls", "/tmp/quire-probe");
  check("it has a /tmp of its own", within["touch /tmp/quire-probe"] === "yes" && /No such/.test(inTmp));
  check("it sees nobody's home", within["ls /home/open"] === "no");
  check("it makes no other namespaces", within["unshare --map-root-user --uts true"] === "no");
  check("files are read without network, data and other processes in sight", within["walls"] === "all");
  system.run(["rm", probe]);
  system.run(["systemctl", "daemon-reload"]);
  system.run(["systemctl", "restart", "quire"]);
}
