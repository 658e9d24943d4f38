/** Loaded when the accuracy of numbers is asked for, with the engine's true numbers. */

import "./deferred.tsx";

export { Bits, CentralDifferences } from "../stage/accuracy.tsx";
