import type { Fault } from "./plant.ts";

export const nativeFaults: readonly Fault[] = [];
