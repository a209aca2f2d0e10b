import { control } from "../../protocol/control.ts";
import { controlSamples } from "./samples.ts";
import { trial } from "./trial.ts";

trial("control", control, controlSamples);
