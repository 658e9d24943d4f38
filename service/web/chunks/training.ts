/** Loaded when parameters are trained, with the decision map. */

import "./deferred.tsx";

export { Loss, Train } from "../panel/train.tsx";
