import { connect } from "@gradient-service/engine/client";
import { createProgram } from "@gradient-service/engine/store";

const slider = document.querySelector("#plain input");
const output = document.querySelector("#plain output");
const values = () => ({ a: slider.valueAsNumber });

const program = createProgram("a * log(a)", values(), { client: connect("/") });
slider.addEventListener("input", () => program.set("a * log(a)", values()));
program.subscribe(({ document, problem, agrees }) => {
  const slope = problem ? problem.message : `the slope is ${document.gradients.a}`;
  output.value = agrees ? `${slope}, as the service says` : slope;
});
