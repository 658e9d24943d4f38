import { connect } from "@gradient-service/engine/client";
import { follow } from "@gradient-service/engine/follow";

const slider = document.querySelector("#plain input");
const output = document.querySelector("#plain output");

const following = follow(connect("/"), ({ document, problem, agrees }) => {
  const slope = problem ? problem.message : `the slope is ${document.gradients.a}`;
  output.value = agrees ? `${slope}, as the service says` : slope;
});

function compute() {
  following.set("a * log(a)", { a: slider.valueAsNumber });
}

slider.addEventListener("input", compute);
compute();
