/** Loaded when a scene has something to say, with the page's own lesson. */

import "./deferred.tsx";

export { Scene, sceneAddress } from "../top/lesson.tsx";
