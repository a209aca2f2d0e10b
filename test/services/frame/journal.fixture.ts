/** Logs what its argument, a JSON list of [level, fields, sentence], says. */
import { openLog } from "../../../services/frame/journal.ts";

const entries = JSON.parse(process.argv[2] ?? "") as [level: "info" | "error", fields: object, sentence: string][];
using opened = openLog({ name: "cortexfs-test" });
for (const [level, fields, sentence] of entries) opened.log[level](fields, sentence);
