/** What is loaded when a scene has something to say, with the page's own lesson. */

export { sceneOf } from "./lesson/progress.ts";
export { Scene } from "./lesson/scene.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
