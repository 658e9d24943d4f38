/** Where a scene stands: above the graph, if the address has something to say. */

import { lazyLesson } from "../asked.ts";
import { isScene } from "../state/scene.ts";

const Loaded = lazyLesson(({ Scene }) => Scene);

export function Scene() {
  return isScene.value ? <Loaded /> : null;
}
