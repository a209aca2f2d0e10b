/** Takes what systemd passed, expecting the sockets of its arguments, and prints what it has then. */
import { readFileSync } from "node:fs";
import { takeInheritedDescriptors } from "../../../services/frame/inherited-descriptors.ts";
import { StartError } from "../../../services/frame/start-error.ts";

const O_CLOEXEC = 0o2000000;
const isStored = (name: string): boolean => name.startsWith("kept-");

function closesOnExec(fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${String(fd)}`, "utf8"))?.[1] ?? "0";
  return (parseInt(flags, 8) & O_CLOEXEC) !== 0;
}

try {
  const { sockets, stored } = takeInheritedDescriptors({ sockets: process.argv.slice(2), isStored });
  const all = [...Object.values(sockets), ...stored.map(({ fd }) => fd)];
  const variables = Object.keys(process.env).filter((name) => name.startsWith("LISTEN_"));
  console.log(JSON.stringify({ sockets, stored, closeOnExec: all.map(closesOnExec), variables }));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.log(JSON.stringify(error.message));
}
