import { terminalBroker } from "../../protocol/terminal-broker.ts";
import { terminalBrokerSamples } from "./samples.ts";
import { trial } from "./trial.ts";

trial("terminalBroker", terminalBroker, terminalBrokerSamples);
