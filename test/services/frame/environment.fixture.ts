/** Says what the environment check has against this process, and stays until stdin ends. */
import { refuseEnvironment } from "../../../services/frame/environment.ts";

console.log(refuseEnvironment() ?? "started");
process.stdin.resume();
